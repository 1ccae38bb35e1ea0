"""What an answer's calls to language models cost together."""

from pipeline.types import Usage


def total(last: Usage, *others: Usage) -> Usage:
    """Tokens and euros summed under the model of `last`; euros unknown when a call that used tokens has no price."""
    calls = [usage for usage in (last, *others) if usage.prompt_tokens or usage.completion_tokens]
    priced = [usage.euros for usage in calls if usage.euros is not None]
    return Usage(
        model=last.model,
        prompt_tokens=sum(usage.prompt_tokens for usage in calls),
        completion_tokens=sum(usage.completion_tokens for usage in calls),
        euros=sum(priced) if calls and len(priced) == len(calls) else None,
    )
