"""placeholder"""


async def refine() -> None: ...
