"""What files, folders and repositories answer when something is wrong."""

from toolpost.errors.access import Denied, NotFound
from toolpost.errors.arguments import InvalidArgument
from toolpost.errors.tree import ToolError


class FileNotFound(NotFound):
    """No file has that path."""

    code = "FILE_NOT_FOUND"
    title = "File Not Found"


class DirectoryNotFound(NotFound):
    """No directory has that path."""

    code = "DIRECTORY_NOT_FOUND"
    title = "Directory Not Found"


class InvalidPath(InvalidArgument):
    """The path leaves its root, is absolute where that is not allowed, or is no path."""

    code = "INVALID_PATH"
    title = "Invalid Path"
    fix = "Give a path relative to the workspace root, without `..` segments."


class InvalidDirectory(InvalidPath):
    """The same as INVALID_PATH, for a directory (contract 001)."""

    code = "INVALID_DIRECTORY"
    title = "Invalid Directory"


class FileTooLarge(InvalidArgument):
    """The file is larger than the tool may answer."""

    code = "FILE_TOO_LARGE"
    title = "File Too Large"
    fix = "Read a range of it."


class FileExists(InvalidArgument):
    """Something is already there."""

    code = "ALREADY_EXISTS"
    title = "Already Exists"
    fix = "Choose another path, or remove what is there first."


class NotAFile(InvalidArgument):
    """A FIFO, a socket, a device, a folder: something that is there but cannot be read as a file."""

    code = "NOT_A_FILE"
    title = "Not A File"
    fix = "Name a regular file; list its folder to see what each entry is."


class NotText(InvalidArgument):
    """The file is not text; the context names its kind and size."""

    code = "NOT_TEXT"
    title = "Not Text"
    fix = "Leave the file alone, or use a tool made for its kind."


class StaleFile(InvalidArgument):
    """The file is not the one the caller knows: it changed since, or was never read."""

    code = "STALE_FILE"
    title = "Stale File"
    fix = "Read the file again, then repeat the change with what is there now."


class EditNotFound(InvalidArgument):
    """The text to be replaced is not in the file; the context shows the closest region."""

    code = "EDIT_NOT_FOUND"
    title = "Text Not Found"
    fix = "Copy the text to replace from the file exactly as the closest region shows it."


class EditAmbiguous(InvalidArgument):
    """The text to be replaced occurs more than once; the context names every line."""

    code = "EDIT_AMBIGUOUS"
    title = "Text Found More Than Once"
    fix = "Give more of the text around the one that is meant, or set replace_all."


class BadPatch(InvalidArgument):
    """The patch cannot be read, or does not apply to what is there."""

    code = "BAD_PATCH"
    title = "Patch Does Not Apply"
    fix = "Read the file again and make the patch from what is there now."


class ReadOnly(Denied):
    """The root is a git revision or a remote repository, which cannot be written to."""

    code = "READ_ONLY"
    title = "Read Only"
    fix = "Write to a local root; `toolpost doctor` lists the roots."


class IoFailed(ToolError):
    """The system refused: a full disk, too many open files, a broken device, a missing right."""

    code = "IO_FAILED"
    title = "System Refused"
    fix = "Mend what the detail names, such as a full disk; what was there before is untouched."


class GitFailed(ToolError):
    """git itself refused or failed; the context holds what it said."""

    code = "GIT_FAILED"
    title = "Git Failed"
    fix = "Read what git said in the detail; `git.status` tells where the repository stands."


class RemoteFailed(ToolError):
    """The remote repository answered with an error, or not at all."""

    code = "REMOTE_FAILED"
    title = "Remote Failed"
    retryable = True
    fix = "Try again later; check the connection and the repository's name."


class RateLimited(RemoteFailed):
    """The remote repository asks to wait; the context says until when."""

    code = "RATE_LIMITED"
    slug = "budget-exceeded"
    title = "Rate Limited"
    fix = "Wait until the time in the context, or connect with a token, which raises the limit."
