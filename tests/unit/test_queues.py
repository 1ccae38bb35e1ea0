"""Which jobs run beside which: a first word comes before answers, and charts after both."""

from bot.engine.queues import CHARTS, CROWD, QUEUE_OF, SIGNS, THREADS, WORKERS, most
from bot.ports import JobName


def test_every_job_has_a_queue_of_its_own_size() -> None:
    assert set(QUEUE_OF) == set(JobName)
    assert set(QUEUE_OF.values()) <= set(WORKERS)


def test_answers_step_back_while_many_wait_for_a_first_word() -> None:
    """A few still run: a channel that Slack holds up for a minute must not keep all answers back."""
    assert (most(THREADS, signs=CROWD), most(CHARTS, signs=CROWD)) == (2, 0)
    assert most(THREADS, signs=CROWD - 1) == WORKERS[THREADS]
    assert most(SIGNS, signs=CROWD) == WORKERS[SIGNS]


def test_signs_of_life_are_taken_first() -> None:
    assert next(iter(WORKERS)) == SIGNS
