"""Files: the three-step upload, files.info, and downloads that need the token as on Slack."""

import asyncio
import mimetypes
import time
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from sandbox.slack import posting
from sandbox.slack.arguments import Args
from sandbox.slack.chat import signed
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Json, Upload, fresh_id
from sandbox.slack.world import World

LOST = frozenset({"tombstone", "hidden_by_limit"})


def get_upload_url(world: World, args: Args) -> Json:
    """Step 1: a place to send the bytes to."""
    name, length = args.text("filename"), args.number("length", 0)
    if length <= 0:
        raise SlackError("invalid_arguments", messages=["must be greater than 0 [json-pointer:/length]"])
    info = new_file(world, name, user=world.workspace.app.user_id, size=length)
    info["alt_txt"] = args.optional("alt_txt")
    return {"upload_url": f"{world.base_url}/files/upload/{info['id']}", "file_id": info["id"]}


async def receive(world: World, request: Request) -> Response:
    """Step 2: the bytes, raw or as a form. The length must be what was announced."""
    upload = world.workspace.files.get(request.path_params["file_id"])
    if upload is None:
        return PlainTextResponse("not found", 404)
    if request.headers.get("content-type", "").startswith("multipart/"):
        form = await request.form()
        parts = [part for part in form.values() if not isinstance(part, str)]
        content = await parts[0].read() if parts else b""
    else:
        content = await request.body()
    if len(content) != upload.info["size"]:
        return PlainTextResponse(f"length mismatch: {len(content)} received", 400)
    upload.content = content
    return PlainTextResponse(f"OK - {len(content)}")


def complete_upload(world: World, args: Args) -> Json:
    """Step 3: finishes the files and shares them in a conversation."""
    asked = args.parsed("files")
    if not isinstance(asked, list) or not asked:
        raise SlackError("invalid_arguments", messages=["missing required field: files"])
    uploads = [world.workspace.files.get(str(item.get("id"))) for item in asked if isinstance(item, dict)]
    found = [upload for upload in uploads if upload is not None]
    if len(found) != len(asked) or not all(upload.content for upload in found):
        raise SlackError("file_not_found")
    for upload, item in zip(found, asked, strict=True):
        upload.complete = True
        upload.info["title"] = item.get("title") or upload.info["name"]
    targets = [args.optional("channel_id"), *args.listed("channels")]
    for key in dict.fromkeys(target for target in targets if target):
        channel = world.joined(key)
        shared = [share(upload.info, channel.id) for upload in found]
        fields = {"text": args.optional("initial_comment"), "files": shared, "upload": True, "subtype": "file_share"}
        posting.post(world, channel, signed(world, fields), thread_ts=args.optional("thread_ts") or None)
    return {"files": [upload.info for upload in found]}


def info(world: World, args: Args) -> Json:
    """One file."""
    upload = world.workspace.files.get(args.text("file", missing="file_not_found"))
    if upload is None or not upload.complete:
        raise SlackError("file_not_found")
    if upload.info["mode"] in LOST:
        raise SlackError("file_deleted")
    return {"file": upload.info, "comments": [], "response_metadata": {"next_cursor": ""}}


async def download(world: World, request: Request) -> Response:
    """Without the bot's token Slack answers 200 with its sign-in page, which surprises every first download."""
    upload = world.workspace.files.get(request.path_params["key"].rpartition("-")[2])
    known = world.accepts(request.headers.get("authorization", "").removeprefix("Bearer "))
    refused = not known or world.faults.strike("files_sign_in")
    world.log.add(
        "api",
        f"fichier {upload.info['name'] if upload else 'inconnu'}",
        status="page de connexion" if refused else ("ok" if upload else "404"),
        ms=world.faults.slow_files_ms,
    )
    if refused:
        return HTMLResponse("<!doctype html><title>Sign in | Slack</title><p>Sign in to see this file.</p>")
    await asyncio.sleep(world.faults.slow_files_ms / 1000)
    return _bytes(upload)


async def show(world: World, request: Request) -> Response:
    """For the sandbox's own page, whose people are signed in: where a permalink leads."""
    return _bytes(world.workspace.files.get(request.path_params["file_id"]))


def _bytes(upload: Upload | None) -> Response:
    if upload is None:
        return PlainTextResponse("not found", 404)
    # What people upload is shown as data, never run in the page's origin.
    headers = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}
    return Response(upload.content, media_type=upload.info["mimetype"], headers=headers)


def new_file(world: World, name: str, *, user: str, size: int, mimetype: str = "", mode: str = "hosted") -> Json:
    """Registers an empty file and returns Slack's file object. A `tombstone` is all that is left of a deleted one."""
    file_id = fresh_id("F")
    extension = name.rsplit(".", 1)[-1].lower() if "." in name else "text"
    home = world.workspace.team_of(user)
    if mode in LOST:
        described: Json = {"id": file_id, "mode": mode, "user_team": home.id}
        world.workspace.files[file_id] = Upload(described)
        return described
    base, spelt = world.base_url, quote(name, safe="")
    private = f"{base}/files-pri/{home.id}-{file_id}"
    described = {
        "id": file_id,
        "created": int(time.time()),
        "timestamp": int(time.time()),
        "name": name,
        "title": name,
        "mimetype": mimetype or mimetypes.guess_type(name)[0] or "application/octet-stream",
        "filetype": extension,
        "pretty_type": extension.upper(),
        "user": user,
        "user_team": home.id,
        "size": size,
        "mode": mode,
        "editable": mode == "snippet",
        "is_external": mode == "external",
        "external_type": "gdrive" if mode == "external" else "",
        "is_public": True,
        "file_access": "visible",
        "url_private": f"{private}/{spelt}",
        "url_private_download": f"{private}/download/{spelt}",
        "permalink": f"{base}/files/{user}/{file_id}/{spelt}",
        "channels": [],
    }
    world.workspace.files[file_id] = Upload(described)
    return described


def share(info: Json, channel: str) -> Json:
    """Notes where a file was shared."""
    shared = info.setdefault("channels", [])
    if channel not in shared:
        shared.append(channel)
    return info


METHODS = {
    "files.getUploadURLExternal": get_upload_url,
    "files.completeUploadExternal": complete_upload,
    "files.info": info,
}
