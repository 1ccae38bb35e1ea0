"""OAuth as Slack has it: a code that serves once, tokens that end, refresh tokens that serve once; per workspace."""

import secrets
import time
from dataclasses import dataclass, field
from typing import Final

from sandbox.slack.errors import SlackError

CLIENT_ID: Final = "1111111111.2222222222"
CLIENT_SECRET: Final = "secret-client-du-bac-a-sable"
USUAL_SECONDS: Final = 12 * 3600


@dataclass(frozen=True, slots=True)
class Code:
    """What somebody agreed to: in which workspace, who, for the whole organisation or not."""

    team_id: str
    user_id: str
    redirect_uri: str
    org: bool


@dataclass(frozen=True, slots=True)
class Grant:
    """A token of ours and until when (monotonic seconds; None: without end); `refresh` empty without rotation."""

    team_id: str
    user_id: str
    org: bool
    token: str
    refresh: str = ""
    until: float | None = None


@dataclass(slots=True)
class Grants:
    """`open`: whether workspaces install the app by themselves. `seconds`: how long new tokens live; 0 for ever."""

    open: bool = False
    seconds: int = USUAL_SECONDS
    codes: dict[str, Code] = field(default_factory=dict)
    tokens: dict[str, Grant] = field(default_factory=dict)
    refreshes: dict[str, Grant] = field(default_factory=dict)
    revoked: set[str] = field(default_factory=set)

    def agree(self, code: Code) -> str:
        """The code that the browser carries back."""
        named = secrets.token_urlsafe(24)
        self.codes[named] = code
        return named

    def exchange(self, named: str, *, redirect_uri: str) -> Grant:
        """Raises `SlackError` invalid_code (used or unknown), bad_redirect_uri."""
        code = self.codes.pop(named, None)
        if code is None:
            raise SlackError("invalid_code")
        if code.redirect_uri != redirect_uri:
            raise SlackError("bad_redirect_uri")
        return self._granted(code.team_id, code.user_id, org=code.org)

    def renew(self, refresh: str) -> Grant:
        """Raises `SlackError` invalid_refresh_token."""
        old = self.refreshes.pop(refresh, None)
        if old is None:
            raise SlackError("invalid_refresh_token")
        return self._granted(old.team_id, old.user_id, org=old.org)

    def holder(self, token: str) -> Grant:
        """Raises `SlackError` token_revoked, token_expired, invalid_auth."""
        if token in self.revoked:
            raise SlackError("token_revoked")
        grant = self.tokens.get(token)
        if grant is None:
            raise SlackError("invalid_auth")
        if grant.until is not None and time.monotonic() > grant.until:
            raise SlackError("token_expired")
        return grant

    def installed(self, team_id: str) -> Grant | None:
        """The newest grant of this workspace."""
        return next((grant for grant in reversed(self.tokens.values()) if grant.team_id == team_id), None)

    def expire(self, team_id: str) -> None:
        """Every access token of the workspace has ended; its refresh tokens stand."""
        for token, grant in self.tokens.items():
            if grant.team_id == team_id:
                self.tokens[token] = Grant(grant.team_id, grant.user_id, grant.org, token, grant.refresh, 0.0)

    def revoke(self, team_id: str) -> None:
        """The app is not installed there any more."""
        gone = [token for token, grant in self.tokens.items() if grant.team_id == team_id]
        self.revoked.update(gone)
        self.tokens = {token: grant for token, grant in self.tokens.items() if grant.team_id != team_id}
        self.refreshes = {name: grant for name, grant in self.refreshes.items() if grant.team_id != team_id}

    def _granted(self, team_id: str, user_id: str, *, org: bool) -> Grant:
        rotates = self.seconds > 0
        token = ("xoxe." if rotates else "") + f"xoxb-{team_id.lower()}-{secrets.token_hex(8)}"
        refresh = f"xoxe-1-{secrets.token_hex(12)}" if rotates else ""
        until = time.monotonic() + self.seconds if rotates else None
        grant = Grant(team_id, user_id, org, token, refresh, until)
        self.tokens[token] = grant
        if refresh:
            self.refreshes[refresh] = grant
        return grant
