FROM python:3.11-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 OMP_NUM_THREADS=1 HOST=0.0.0.0
WORKDIR /app
COPY requirements.lock ./
RUN pip install --require-hashes -r requirements.lock && useradd --create-home quartier && install -d -o quartier var
COPY alembic.ini ./
COPY migrations migrations
COPY corpus corpus
COPY pipeline pipeline
COPY bot bot
RUN python -m compileall -q bot pipeline corpus
USER quartier
VOLUME /app/var
ENV HEALTH_PORT=3001
EXPOSE 3000 3001
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:3001/healthz', timeout=5)"]
CMD ["python", "-m", "bot", "run"]
