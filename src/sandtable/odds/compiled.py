"""Compiled code that starts at once.

The kernels are ordinary Numba functions, but importing Numba takes longer than most questions
about a battle. So Numba is imported only where a kernel has to be compiled; the object code is
kept on disk, and every later start loads it with llvmlite alone and calls it through ctypes
(which also releases the interpreter's lock, so that threads use all cores).

A kernel is a function `run(ints, reals)` over two flat arrays, in a module of its own. It
allocates nothing: parameters, scratch space and results all live in the two arrays.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

HEAD, ROUNDS, START, RECORD = 128, 100, 16, 41
"""How the kernels' arrays begin: reals with HEAD results, of which the chances of each number of
rounds below ROUNDS are the last; ints with START parameters. RECORD is the length of what `layers`
knows of a side."""

# How Numba compiles a kernel: without reference counting and without wrappers for Python, so
# that the object code needs nothing but itself.
OPTIONS: dict[str, Any] = {
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "error_model": "numpy",
}

on_compile: list[Callable[[], None]] = []
"""Called before the wait when a kernel has to be compiled."""

loading = [0.0]
"""Seconds spent so far on loading and compiling: no part of the time that an answer takes."""

_lock = threading.Lock()
_aside = threading.Event()
"""Set where compiling would hold up others: it is then done in a process of its own."""
_loaded: dict[str, Callable[[Ints, Reals], None]] = {}
_engines: list[Any] = []  # keeps the loaded code alive


def cache_folder() -> Path:
    """Where compiled code is kept: $SANDTABLE_CACHE, or the user's cache folder."""
    chosen = os.environ.get("SANDTABLE_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "sandtable"


def kernel(module: str) -> Callable[[Ints, Reals], None]:
    """The compiled `run` of that kernel module; a second or more on the very first use."""
    with _lock:
        if module not in _loaded:
            begun = time.perf_counter()
            _loaded[module] = _get(module)
            loading[0] += time.perf_counter() - begun
        return _loaded[module]


def behind(modules: Sequence[str]) -> None:
    """Get kernels ready without waiting for them: whoever asks for one meanwhile waits. From now on
    what has to be compiled is compiled in a process of its own, so that this one goes on."""
    _aside.set()
    threading.Thread(target=lambda: [kernel(module) for module in modules], daemon=True).start()


def _get(module: str) -> Callable[[Ints, Reals], None]:
    path = _object_path(module)
    if not path.is_file():
        for told in on_compile:
            told()
    with _alone(path):
        try:
            code = path.read_bytes()
        except OSError:
            code = _compiled_aside(module) if _aside.is_set() else _compile(module)
            _keep(path, code)
    return _load(code)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Only one process compiles a kernel; the others wait and read what it kept."""
    lock = None
    if sys.platform != "win32" and not path.is_file():
        import fcntl

        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = path.with_suffix(".lock").open("w")
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError:
            pass  # then each compiles for itself
    try:
        yield
    finally:
        if lock is not None:
            lock.close()


def _compiled_aside(module: str) -> bytes:
    """The object code of a kernel, compiled by another process, which leaves Ctrl-C to this one."""
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        f"from {__name__} import _compile; sys.stdout.buffer.write(_compile({module!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    # What went wrong there is said here.
    return done.stdout if done.returncode == 0 else _compile(module)


def sources(module: str) -> dict[str, bytes]:
    """The source of a kernel module and of all modules of ours that it imports, with theirs."""
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        spec = find_spec(name)
        if name in found or spec is None or spec.origin is None:
            continue
        found[name] = Path(spec.origin).read_bytes()
        waiting += re.findall(r"^from (sandtable[.\w]*) import", found[name].decode(), re.M)
    return found


def _object_path(module: str) -> Path:
    """The file name tells everything that the object code was made from, and for which machine."""
    import llvmlite
    import llvmlite.binding as llvm

    key = hashlib.sha256()
    for name, source in sorted(sources(module).items()):
        key.update(f"{name} {len(source)} ".encode() + source)
    numba = find_spec("numba")  # found, not imported
    assert numba is not None and numba.origin is not None
    key.update(Path(numba.origin).with_name("_version.py").read_bytes())
    made_for = (
        sys.version,
        llvmlite.__version__,
        np.__version__,
        llvm.get_default_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    )
    key.update("\n".join(made_for).encode())
    return cache_folder() / f"{module.rpartition('.')[2]}-{key.hexdigest()[:20]}.o"


def _compile(module: str) -> bytes:
    """Object code of the module's `run`, under the plain name "run"."""
    import llvmlite.binding as llvm
    from numba import types

    run = importlib.import_module(module).run
    run.compile((types.int64[::1], types.float64[::1]))
    compiled = next(iter(run.overloads.values()))
    text: str = compiled.library.get_llvm_str()
    needed = set(re.findall(r"^declare .*?@([\w.]+)\(", text, re.M))
    foreign = {name for name in needed if not name.startswith("llvm.")}
    if foreign:  # calling an unknown address would end the process
        raise RuntimeError(f"{module} needs {', '.join(sorted(foreign))} and cannot stand alone")
    text = text.replace(compiled.fndesc.llvm_func_name, "run")
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        jit=True,
        codemodel="jitdefault",
    )
    code: bytes = machine.emit_object(llvm.parse_assembly(text))
    return code


def _keep(path: Path, code: bytes) -> None:
    """Store the code in one step, so that no other process reads half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(code)
        os.replace(file.name, path)
    except OSError:
        pass  # a read-only home costs the next start a compilation, nothing more


def _load(code: bytes) -> Callable[[Ints, Reals], None]:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)

    # Numba hands an array over as owner, parent, number of items, size of an item, data,
    # shape and stride; the result and the error come back through two pointers.
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    array = (pointer, pointer, number, number, pointer, number, number)
    prototype = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, *array, *array)
    call = prototype(engine.get_function_address("run"))

    def run(ints: Ints, reals: Reals) -> None:
        back = (ctypes.c_int64 * 2)()
        here = ctypes.addressof(back)
        n, m = ints.size, reals.size
        # The data's address, by the quickest way that NumPy offers.
        i, r = ints.__array_interface__["data"][0], reals.__array_interface__["data"][0]
        call(here, here + 8, None, None, n, 8, i, n, 8, None, None, m, 8, r, m, 8)

    return run


class Workspace(threading.local):
    """Two arrays per thread that grow as needed and are used again, to spare page faults; very
    large ones are given back."""

    MOST = 1 << 23

    def __init__(self) -> None:
        self.ints: Ints = np.zeros(4096, np.int64)
        self.reals: Reals = np.zeros(16384, np.float64)

    def room(self, ints: int, reals: int) -> tuple[Ints, Reals]:
        """At least that much room, with whatever was in it before."""
        if ints + reals > self.MOST:
            return np.zeros(ints, np.int64), np.zeros(reals, np.float64)
        if self.ints.size < ints:
            self.ints = np.zeros(ints + ints // 4, np.int64)
        if self.reals.size < reals:
            self.reals = np.zeros(reals + reals // 4, np.float64)
        return self.ints, self.reals


workspace = Workspace()
