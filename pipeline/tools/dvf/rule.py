"""The strict rule in SQL: lines of a geo-dvf file -> sales of a single home, with their price per square metre; and,
by rules of our own, sales of one dependency (its whole price) and of building land (per square metre of ground).

Base: the published rule of « Statistiques DVF » (datagouvfr_data_pipelines, data_processing/dvf/explore): distinct
lines of sales, VEFA and auctions for houses, flats and premises (types 1, 2, 4); mutations that then appear exactly
once. Ours on top: sales only, area >= 9 m2, price >= 5,000 EUR, 300 to 30,000 EUR/m2, then 1.5 x IQR by commune, year
and type. A mutation's lines are counted over the whole file, not over the commune: a sale may span two communes.
"""

NUMBER = r"""
CREATE OR REPLACE TEMP MACRO number(written) AS
  CASE WHEN regexp_full_match(regexp_replace(written, '[\s\x{00a0}\x{202f}]', '', 'g'), '\d{1,12}([.,]\d{1,9})?')
  THEN replace(regexp_replace(written, '[\s\x{00a0}\x{202f}]', '', 'g'), ',', '.')::DOUBLE END;
CREATE OR REPLACE TEMP MACRO day(written) AS
  coalesce(try_strptime(trim(written), '%Y-%m-%d'), try_strptime(trim(written), '%d/%m/%Y'))::DATE
"""
"""French or English decimals, spaces allowed; anything else, `inf` and `1e9` included, is no number."""

NEAR = """
CREATE OR REPLACE TEMP VIEW lines AS
SELECT * FROM every_line
WHERE id_mutation IN (SELECT id_mutation FROM every_line WHERE code_commune IN (SELECT code FROM spellings))
"""
"""Of a national file, only the mutations that touch the commune: a second reading instead of gigabytes of groups."""

ALL = """
CREATE OR REPLACE TEMP TABLE held AS
WITH needed AS MATERIALIZED (
  SELECT id_mutation, date_mutation, code_commune, id_parcelle, nature_mutation, valeur_fonciere, surface_reelle_bati,
    code_type_local, rooms, culture, ground, town
  FROM every_line
)
SELECT * FROM needed
WHERE id_mutation IN (SELECT id_mutation FROM needed WHERE code_commune IN (SELECT code FROM spellings));
CREATE OR REPLACE TEMP VIEW lines AS SELECT * FROM held
"""
"""Of a department: the same, in one reading that keeps the columns the rule needs."""
SPELLINGS = "CREATE OR REPLACE TEMP TABLE spellings AS SELECT unnest(?) AS code"

PICKED = r"""
CREATE OR REPLACE TEMP TABLE picked AS
WITH base AS (
  SELECT id_mutation, date_mutation, code_commune, id_parcelle, nature_mutation, valeur_fonciere, surface_reelle_bati,
    regexp_replace(trim(code_type_local), '\.0$', '') AS home, min(rooms) AS rooms
  FROM lines
  WHERE trim(nature_mutation) IN ('Vente', 'Adjudication') OR nature_mutation LIKE '%futur d%ach%vement%'
  GROUP BY ALL
),
single AS (
  SELECT *, count(*) OVER (PARTITION BY id_mutation) AS parts FROM base WHERE home IN ('1', '2', '4')
)
SELECT home, parts, trim(nature_mutation) = 'Vente' AS sale,
  day(date_mutation) AS sold,
  number(valeur_fonciere) AS price, number(surface_reelle_bati) AS area, number(rooms) AS rooms,
  (number(valeur_fonciere) IS NULL AND valeur_fonciere IS NOT NULL)
    OR (number(surface_reelle_bati) IS NULL AND surface_reelle_bati IS NOT NULL) AS garbled
FROM single
WHERE home IN ('1', '2') AND code_commune IN (SELECT code FROM spellings)
"""
"""One commune's homes. Undoes what spreadsheets do: DD/MM/YYYY, numbers that became `2.0`, spaces, decimal commas."""

SUMMARY = "SELECT count(*), count(*) FILTER (garbled OR sold IS NULL), list(DISTINCT year(sold)) FROM picked"

TOWN = "SELECT max(trim(town)) FROM lines WHERE code_commune IN (SELECT code FROM spellings)"
"""What the file calls the commune."""

PRICES = """
WITH bounded AS (
  SELECT year(sold) AS year, home, sold, rooms, price / area AS rate
  FROM picked
  WHERE parts = 1 AND sale AND sold IS NOT NULL AND area >= 9 AND price >= 5000 AND price / area BETWEEN 300 AND 30000
),
fences AS (
  SELECT year, home, quantile_cont(rate, 0.25) AS low, quantile_cont(rate, 0.75) AS high
  FROM bounded GROUP BY year, home
),
kept AS (
  SELECT bounded.*, CASE WHEN home = '2' AND rooms >= 1 THEN least(rooms, 5)::INTEGER END AS size
  FROM bounded JOIN fences USING (year, home)
  WHERE rate BETWEEN low - 1.5 * (high - low) AND high + 1.5 * (high - low)
)
SELECT year, home, NULL AS size, count(*), quantile_cont(rate, [0.25, 0.5, 0.75]), max(sold)
FROM kept GROUP BY year, home
UNION ALL
SELECT year, home, size, count(*), quantile_cont(rate, [0.25, 0.5, 0.75]), max(sold)
FROM kept WHERE size IS NOT NULL GROUP BY year, home, size
ORDER BY ALL
"""
"""Prices by year and type, then by rooms (5: five and more) among the same trimmed flats."""

OTHERS = r"""
CREATE OR REPLACE TEMP TABLE others AS
WITH alone AS (
  SELECT id_mutation FROM lines GROUP BY id_mutation HAVING count(*) = 1
),
garages AS (
  SELECT '3' AS home, day(date_mutation) AS sold, number(valeur_fonciere) AS rate
  FROM lines SEMI JOIN alone USING (id_mutation)
  WHERE regexp_replace(trim(code_type_local), '\.0$', '') = '3' AND trim(nature_mutation) = 'Vente'
    AND coalesce(trim(ground), '') = '' AND code_commune IN (SELECT code FROM spellings)
),
plots AS (
  SELECT DISTINCT id_mutation, date_mutation, trim(nature_mutation) AS nature, code_commune, valeur_fonciere,
    code_type_local, id_parcelle, trim(culture) AS culture, ground
  FROM lines
),
land AS (
  SELECT 'T' AS home, min(day(date_mutation)) AS sold, min(number(valeur_fonciere)) AS price,
    sum(number(ground)) AS area
  FROM plots GROUP BY id_mutation
  HAVING bool_and(coalesce(trim(code_type_local), '') = '')
    AND bool_and(nature LIKE 'Vente terrain%' OR (nature = 'Vente' AND coalesce(culture, '') = 'AB'))
    AND count(DISTINCT valeur_fonciere) = 1 AND count(DISTINCT date_mutation) = 1
    AND count(*) FILTER (number(ground) IS NULL) = 0
    AND bool_and(code_commune IN (SELECT code FROM spellings))
)
SELECT home, sold, rate FROM garages WHERE sold IS NOT NULL AND rate BETWEEN 500 AND 200000
UNION ALL
SELECT home, sold, price / area FROM land
WHERE sold IS NOT NULL AND area BETWEEN 50 AND 10000 AND price >= 1000 AND price / area BETWEEN 1 AND 5000
"""
"""A dependency alone on the only line of its deed: DVF gives no area of it, and repeats a price on each line, so that a
second line may be a second garage. Land without any building: "terrains à bâtir" by culture or by nature of the sale.
"""

OTHER_PRICES = """
WITH fences AS (
  SELECT year(sold) AS year, home, quantile_cont(rate, 0.25) AS low, quantile_cont(rate, 0.75) AS high
  FROM others GROUP BY ALL
)
SELECT fences.year, others.home, NULL AS size, count(*), quantile_cont(rate, [0.25, 0.5, 0.75]), max(sold)
FROM others JOIN fences ON fences.year = year(sold) AND fences.home = others.home
WHERE rate BETWEEN low - 1.5 * (high - low) AND high + 1.5 * (high - low)
GROUP BY fences.year, others.home
ORDER BY ALL
"""
