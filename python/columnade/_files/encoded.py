"""Files as bytes and as text: compressions, and encodings of Python."""

from __future__ import annotations

import errno
import importlib
import io
import os
import stat

from .._common import _error
from .._errors import ColumnadeError, make

_SUFFIXES = {".gz": "gzip", ".bz2": "bz2", ".zip": "zip", ".xz": "xz", ".zst": "zstd"}


class _Folder:
    """A temporary folder. Errors of files in it are those of a buffer, or of the file whose text is in it: callers do not know these
    files.
    """

    def __init__(self, source=None):
        # Imported here: it takes a while.
        import tempfile

        self._folder = tempfile.TemporaryDirectory()
        self.name, self.cleanup = self._folder.name, self._folder.cleanup
        self._source = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None

    def __enter__(self):
        return self.name

    def __exit__(self, kind, error, trace):
        hide(error, self.name, self._source)
        self.cleanup()


def temporary_folder(source=None):
    """A folder for the time of a `with`, for the text of a file where it is given."""
    return _Folder(source)


def hide(error, folder, source=None, line=None):
    """Has an error of a file in a temporary folder be one of a buffer, which has no path, or of the file that the text is of; `line` is
    the number of the line there.
    """
    if not isinstance(error, ColumnadeError) or error.path is None or not error.path.startswith(folder):
        return
    text = str(error)
    if line is not None and error.line is not None:
        text = text.replace(f"{error.path}: line {error.line}: ", f"{error.path}: line {line}: ", 1)
        error.line = line
    error.args = (*error.args[:-1], text.replace(error.path, "<buffer>" if source is None else source))
    error.path = source


def _is_buffer(source):
    return hasattr(source, "read")


def _one_of(operation, name, value, allowed):
    if value not in allowed:
        raise _error("ValueError", operation, f"{name} is {' or '.join(map(repr, allowed))}, not {value!r}")
    return value


def compression_of(operation, compression, path):
    """The name of a compression: that of the ending of a path where it is to be inferred, None without one."""
    if isinstance(compression, dict):
        if set(compression) != {"method"}:
            raise _error("NotImplementedError", operation, "a dictionary of compression has only method")
        compression = compression["method"]
    if compression == "infer":
        ending = os.path.splitext(os.fspath(path))[1].lower() if isinstance(path, (str, os.PathLike)) else ""
        return _SUFFIXES.get(ending)
    if compression == "tar":
        raise _error("NotImplementedError", operation, "compression of tar is not implemented")
    return _one_of(operation, "compression", compression, (None, "infer", "gzip", "bz2", "zip", "xz", "zstd"))


def _module_of(operation, name):
    if name == "zstd":
        try:
            zstd = importlib.import_module("compression.zstd")
        except ImportError:
            raise _error("NotImplementedError", operation, "compression of zstd needs Python 3.14") from None
        return zstd
    import bz2
    import gzip
    import lzma

    return {"gzip": gzip, "bz2": bz2, "xz": lzma}[name]


def decompressed(operation, data, compression):
    if compression is None:
        return data
    import lzma
    import zipfile
    import zlib

    try:
        if compression != "zip":
            return _module_of(operation, compression).decompress(data)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if len(names) != 1:
                raise _error("ValueError", operation, f"the archive has {len(names)} files, not one")
            return archive.read(names[0])
    except ColumnadeError:
        raise
    except (OSError, EOFError, ValueError, lzma.LZMAError, zipfile.BadZipFile, zlib.error) as error:
        raise OSError(f"the bytes are not {compression}: {error}") from None


def compressed(operation, data, compression, path):
    if compression is None:
        return data
    if compression == "zip":
        import zipfile

        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            name = os.path.basename(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else "text"
            archive.writestr(name.removesuffix(".zip"), data)
        return buffer.getvalue()
    return _module_of(operation, compression).compress(data)


def codec_of(operation, encoding):
    """An encoding of Python by its name; None is UTF-8."""
    import codecs

    try:
        return codecs.lookup("utf-8" if encoding is None else encoding).name
    except (LookupError, TypeError):
        raise _error("ValueError", operation, f"there is no encoding {encoding!r}") from None


def errors_of(operation, errors):
    """What is done with bytes that are no character, by its name in Python; None is "strict"."""
    import codecs

    if errors is None:
        return "strict"
    try:
        codecs.lookup_error(errors)
    except (LookupError, TypeError):
        reason = f"encoding_errors is strict, replace, ignore or another name that codecs knows, not {errors!r}"
        raise _error("ValueError", operation, reason) from None
    if errors in ("surrogateescape", "surrogatepass"):
        raise _error("ValueError", operation, f"encoding_errors {errors!r} makes surrogates, which no column has")
    return errors


def bytes_of(operation, source, compression="infer"):
    """What is in a file or in a buffer: bytes, or text of a buffer of text."""
    name = compression_of(operation, compression, source)
    if _is_buffer(source):
        data = source.read()
        try:
            return decompressed(operation, data, name) if isinstance(data, (bytes, bytearray)) else data
        except OSError as error:
            raise of_system(operation, "<buffer>", error) from None
    try:
        with open(source, "rb") as file:
            return decompressed(operation, file.read(), name)
    except IsADirectoryError:
        raise _error("NotImplementedError", operation, "these arguments are for files, not for folders") from None
    except ColumnadeError:
        raise
    except OSError as error:
        raise of_system(operation, source, error) from None


def of_system(operation, path, error):
    """An error of the system as one of a file."""
    reason = f"{operation} {os.fspath(path)}: {error.strerror or error}"
    place = None if path == "<buffer>" else os.fspath(path)
    return make("OSError", reason, operation=operation, path=place, errno=error.errno)


# Files that are written --------------------------------------------------------------------------------------------------
def write_file(operation, path, data, mode="w"):
    """Writes bytes to a file. With "w" and "x" they are in a file of another name until all are written, so that a full disk, or the
    end of the process, leaves the old file as it was. With "a" a part of them is cut off again.
    """
    try:
        if mode == "a":
            _append(path, data)
        elif os.path.exists(path) and not os.path.isfile(path):
            # A pipe or a device has no old content.
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(path, data, mode == "x")
    except OSError as error:
        raise of_system(operation, path, error) from None


def _write_all(handle, data):
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _append(path, data):
    is_new = not os.path.exists(path)
    with open(path, "ab", buffering=0) as file:
        before = os.fstat(file.fileno())
        try:
            _write_all(file.fileno(), data)
        except BaseException:
            if stat.S_ISREG(before.st_mode):
                file.truncate(before.st_size)
                if is_new:
                    os.unlink(path)
            raise


def _replace(path, data, is_new):
    """Writes bytes to a file without a name, or where the system has none to a hidden one, which then takes the name."""
    if is_new and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    # The target of a link, so that the link stays.
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    partial = os.path.join(os.fsdecode(folder), f".columnade-{os.urandom(6).hex()}.part")
    handle, has_name = _partial(folder, partial)
    try:
        _write_all(handle, data)
        if os.path.exists(target):
            if not os.access(target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            os.fchmod(handle, stat.S_IMODE(os.stat(target).st_mode))
        if not has_name:
            # Only with a folder, which an absolute path does not use, does Python follow the link to the file.
            os.link(f"/proc/self/fd/{handle}", partial, src_dir_fd=handle, follow_symlinks=True)
            has_name = True
        if is_new:
            os.link(partial, target)
        else:
            os.replace(partial, target)
            has_name = False
    finally:
        os.close(handle)
        if has_name:
            os.unlink(partial)


def _partial(folder, name):
    """An open file in a folder, and whether it has the name."""
    unnamed = getattr(os, "O_TMPFILE", None)
    if unnamed is not None and os.path.exists("/proc/self/fd"):
        try:
            return os.open(folder, unnamed | os.O_WRONLY | os.O_CLOEXEC, 0o666), False
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
                raise
    return os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666), True


def text_of(operation, source, encoding=None, errors="strict", compression="infer"):
    data = bytes_of(operation, source, compression)
    if isinstance(data, str):
        return data
    codec = codec_of(operation, encoding)
    errors = errors_of(operation, errors)
    try:
        return bytes(data).decode("utf-8-sig" if codec == "utf-8" else codec, errors)
    except UnicodeDecodeError as error:
        raise _error("ValueError", operation, f"the file is not {encoding or 'utf-8'}: {error}") from None
