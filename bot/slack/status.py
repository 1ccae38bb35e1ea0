"""The line that Slack shows under an assistant's thread: what we are doing there. It may fail, and nothing waits."""

from bot.slack.delivery import Slack, SlackRefused, SlackUnavailable, ThreadRef, call


class Status:
    """Of one thread of a direct conversation. « QuartierScope » stands before the words; none clear the line."""

    def __init__(self, slack: Slack, place: ThreadRef, team_id: str) -> None:
        self._slack, self._place, self._team_id = slack, place, team_id

    async def say(self, words: str) -> None:
        """Not said where the workspace has no such line, or Slack does not answer."""
        if self._place.thread_ts is None or not self._slack.abilities.may_try(self._team_id, "status"):
            return
        try:
            await call(
                self._slack.poster.assistant_threads_setStatus(
                    channel_id=self._place.channel, thread_ts=self._place.thread_ts, status=words
                )
            )
        except SlackRefused as refusal:
            self._slack.abilities.refused(self._team_id, "status", refusal.code)
        except SlackUnavailable:
            return
