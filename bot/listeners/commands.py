"""The slash command `/quartier`."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp

from bot.blocks.home import HELP


def register(app: AsyncApp) -> None:
    @app.command("/quartier")
    async def quartier(ack: AsyncAck, command: dict[str, Any]) -> None:
        asked = str(command.get("text") or "").strip()
        unknown = f"Je ne connais pas la commande « {asked[:80]} ».\n\n" if asked and asked != "aide" else ""
        await ack(response_type="ephemeral", text=unknown.replace("<", "‹") + HELP)
