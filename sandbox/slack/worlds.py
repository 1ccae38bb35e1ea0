"""Several workspaces in one pretend Slack: whose token, file, answer address or page a request is about."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from sandbox.slack.errors import SlackError
from sandbox.slack.grants import Grants
from sandbox.slack.world import World

Serve = Callable[[World, Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Worlds:
    """The firm's own workspace first; others are there for who installs the app by OAuth."""

    first: World
    others: tuple[World, ...] = ()
    grants: Grants = field(default_factory=Grants)

    def __iter__(self) -> Iterator[World]:
        return iter((self.first, *self.others))

    def of(self, team_id: str) -> World | None:
        """By its id."""
        return next((world for world in self if world.workspace.team.id == team_id), None)

    def of_token(self, token: str) -> World:
        """Whose token it is; where workspaces do not install by themselves, the first's to look at. Raises
        `SlackError`."""
        if not self.grants.open:
            return self.first
        return self.of(self.grants.holder(token).team_id) or self.first

    def where(self, serve: Serve, mine: Callable[[World, Request], bool]) -> Callable[[Request], Awaitable[Response]]:
        """A route that the first workspace serves, unless another one says that it is about itself."""

        async def served(request: Request) -> Response:
            world = next((world for world in self.others if mine(world, request)), self.first)
            return await serve(world, request)

        return served

    def holds(self, team_id: str, token: str) -> bool:
        """Whether it is a token of that workspace, which stands."""
        try:
            return self.grants.holder(token).team_id == team_id
        except SlackError:
            return False

    def uninstall(self, world: World) -> None:
        """Tokens go; the app is told twice, as Slack does, in either order."""
        grant = self.grants.installed(world.workspace.team.id)
        if grant is None:
            raise SlackError("not_installed")
        self.grants.revoke(grant.team_id)
        world.emit({"type": "app_uninstalled"}, {"type": "tokens_revoked", "tokens": {"bot": [world.workspace.bot.id]}})
        world.installed = False


def holds_file(world: World, request: Request) -> bool:
    """Whether the file of this address is one of this workspace's."""
    named = request.path_params.get("file_id") or str(request.path_params.get("key", "")).rpartition("-")[2]
    return named in world.workspace.files


def holds_answer(world: World, request: Request) -> bool:
    """Whether this answer address was given there."""
    return request.path_params["key"] in world.workspace.response_urls
