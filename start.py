#!/usr/bin/env python3
"""Start the course. On Windows write `py` instead of `python3`.

  python3 start.py                make the environment (.venv), then open JupyterLab on lesson 00
  python3 start.py -- ARGS        the same, with ARGS for JupyterLab (for example --no-browser)
  python3 start.py test           make the environment, then run all tests, in two processes
  python3 start.py test ARGS      the same, with ARGS for pytest (for example a file), in one
  python3 start.py check          is this machine ready? runs lessons 00 to 02 without a browser
  python3 start.py local          add a small real model (130 MB), for connect("local") and the lab
  python3 start.py reset          delete the course's data, put the notebooks back as shipped
  python3 start.py workshop [DIR] copy the course to DIR, a new folder, without outputs and answers
  python3 start.py --help         this text

Each command is complete in itself and can be repeated; a second run does not install again.
COURSE_DATA_DIR: where the course keeps its data (default .course-data beside this file).
COURSE_PYTHON: a Python that has requirements.txt installed already, used instead of .venv.
"""

# Standard library only, and no syntax newer than Python 3.6: whoever starts this with an old
# Python gets a sentence, not a SyntaxError (hence no newer type hints here).

import contextlib
import errno
import glob
import hashlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.abspath(__file__))
SUPPORTED = ((3, 11), (3, 12), (3, 13))
STAMP = "course-stamp.json"
LOG = "course-install.log"
MARKER = "course-data.txt"  # a data folder that holds this file is ours to delete
# what else the course makes there
KNOWN = {"database", "home", "ipython", "kernel.json", "kernel.log", "lab", "local", "progress"}
ORIGINALS = ".workshop"  # in a workshop copy: its notebooks as they were given out
FULL_DISK = 10_000_000  # bytes; with less left, that is why an installer failed
COMMANDS = ("test", "check", "local", "reset", "workshop")
# A whole file each time: a notebook is one kernel. In conftest.py's order, the longest first.
ALL_TESTS = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]


class Problem(Exception):
    """What went wrong and the way out, in one sentence for the reader. `status`: exit code."""

    def __init__(self, sentence, status=1):
        super().__init__(sentence)
        self.status = status


class InstallFailed(Problem):
    """An installer ended with an error, which it called `detail` itself.

    `final`: another installer would meet the same.
    """

    def __init__(self, sentence, detail="", final=False):
        super().__init__(sentence)
        self.detail, self.final = detail, final


def say(text, end="\n"):
    """Print for the reader at once, whatever the console's encoding can show."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + end)
    sys.stdout.flush()


# ---------------------------------------------------------------- sentences (pure functions)


def dotted(version):
    return ".".join(str(part) for part in version)


def this_command(args=(), windows=os.name == "nt"):
    """How the reader repeats what was typed: `python3 start.py test`."""
    return " ".join(["py" if windows else "python3", "start.py"] + list(args))


def python_problem(version, found=(), args=()):
    """None when the course runs on `version` (3 numbers), else one sentence with the way out.

    `found`: commands on this machine that start a suitable Python, best first.
    """
    if tuple(version[:2]) in SUPPORTED:
        return None
    sentence = f"This course needs Python 3.11, 3.12 or 3.13, and this is {dotted(version[:3])}"
    if tuple(version[:2]) > SUPPORTED[-1]:
        sentence += ", too new for some of its packages"
    if found:
        command = " ".join([found[0], "start.py"] + list(args))
        return f"{sentence}: a suitable one is here, so run `{command}`."
    return (
        f"{sentence}: install Python 3.13 from https://www.python.org/downloads/ "
        "(or uv, https://docs.astral.sh/uv/, which brings its own) and run this again."
    )


NO_SPACE = r"no space left on device|os error 28\b|errno 28\b|not enough space on the disk|" + (
    r"disk quota exceeded|os error 112\b|winerror 112\b"
)
NO_CERTIFICATE = r"certificate[_ ]verify[_ ]failed|invalid peer certificate|unknownissuer"
NO_PROXY = (
    r"proxyerror|cannot connect to proxy|proxy authentication required|tunnel (connection|error)"
)
NO_NETWORK = (
    r"retrying \(retry\(total=0|max retries exceeded|could not fetch url|"
    r"temporary failure in name resolution|name or service not known|getaddrinfo failed|"
    r"nodename nor servname|network is unreachable|read timed out|"
    r"error sending request for url|dns error|tcp connect error|failed to lookup address|"
    r"request failed after \d+ retries|operation timed out|connection timed out|"
    r"network connectivity is disabled"
)
NO_WHEEL = (
    r"no matching distribution found for (?P<pip>[^\s;]+)|"
    r"because (?P<uv>[\w.-]+==[\w.]+) has no (?:usable )?wheels|"
    r"because there (?:is|are) no versions? of (?P<none>[\w.=-]+)|"
    r"because (?P<gone>[\w.-]+) was not found in the (?:package registry|provided package)|"
    r"distribution `?(?P<dist>[\w.=-]+)[^\n`]*`? can't be installed|"
    r"is not a supported wheel on this platform"
)
NO_RIGHT = r"permission denied|access is denied|read-only file system|operation not permitted"
LONG_PATHS = r"windows long path support|file name too long|filename too long"
OFFLINE_FOLDER = (
    "without a network set PIP_NO_INDEX=1 and PIP_FIND_LINKS to a folder with the wheels"
)


def redact(text):
    """`text` without the passwords that an index address may carry."""
    return re.sub(r"://\S*@", "://***@", text)


def last_relevant(output):
    """The line of an installer's output that says most: the last error, else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [
        line for line in lines if re.search(r"error|failed|cannot|could not|cause:", line, re.I)
    ]
    chosen = (errors or lines or ["(it printed nothing)"])[-1]
    return redact(chosen)[:200]


def diagnose(output, command, offline=False, system=None):
    """One sentence for a failed `pip` or `uv`: what is wrong and the way out.

    `output`: all it printed. `command`: what the reader should repeat. `offline`: no package
    index was allowed (PIP_NO_INDEX). Returns (kind, sentence); kinds: disk, certificate, proxy,
    network, python, offline, wheel, rights, path, pip, other.
    """
    system = system or platform.platform()

    def has(pattern):
        return re.search(pattern, output, re.I)

    if has(NO_SPACE):
        return "disk", (
            "The disk is full (the course's environment takes about 0.6 GB): free some space "
            f"and run `{command}` again."
        )
    if has(LONG_PATHS):
        return "path", (
            "A path got too long for this system: move the course to a folder with a short "
            f"path, such as C:\\course, and run `{command}` there."
        )
    if has(NO_CERTIFICATE):
        return "certificate", (
            "The package index was reached, but its certificate is not trusted here (a company "
            "proxy, or a wrong clock): set PIP_CERT to your organisation's certificate file and "
            f"run `{command}` again."
        )
    if has(NO_PROXY):
        return "proxy", (
            "The proxy refused the way to the package index: set HTTPS_PROXY correctly and run "
            f"`{command}` again."
        )
    if has(NO_NETWORK):
        return "network", (
            f"The package index cannot be reached: connect to the internet and run `{command}` "
            f"again ({OFFLINE_FOLDER})."
        )
    if has(r"no interpreter found for python"):
        return "python", (
            "The tool uv found no Python 3.11, 3.12 or 3.13 and could not download one: install Python 3.13 "
            f"from https://www.python.org/downloads/ and run `{command}` again."
        )
    wheel = has(NO_WHEEL)
    if wheel:
        name = next((group for group in wheel.groups() if group), "a package")
        if offline:
            return "offline", (
                f"The offline folder of wheels has no {name} for this machine: add it (`pip "
                f"download -r requirements.txt` elsewhere makes such a folder) and run `{command}` "
                "again."
            )
        return "wheel", (
            f"There is no ready-made build of {name} for Python {dotted(sys.version_info[:2])} "
            f"on {system}: use a 64-bit Python 3.11, 3.12 or 3.13 from python.org on Linux, "
            "macOS or Windows, or another machine."
        )
    if has(NO_RIGHT):
        return "rights", (
            "This folder may not be written to: copy the course to a folder of your own, such "
            f"as Documents, and run `{command}` there."
        )
    if has(r"no module named '?pip\b"):
        return "pip", f"This Python's pip is broken: delete the folder .venv and run `{command}`."
    return "other", (
        f'The packages could not be installed ("{last_relevant(output)}"): run `{command}` again, '
        f"and if it fails again look into .venv/{LOG}."
    )


def os_problem(error, command):
    """One sentence for an OSError of our own, or None when there is nothing better to say."""
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None)):
        return diagnose("No space left on device", command)[1]
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        where = error.filename or ROOT
        return (
            f"{where} may not be written to (or a program still uses it): close JupyterLab, or copy "
            f"the course to a folder of your own, and run `{command}` again."
        )
    return None


def venv_problem(output, version, command):
    """One sentence for a failed `python -m venv`."""
    if re.search(
        r"ensurepip is not\s+available|no module named '?(ensurepip|venv)\b", output, re.I
    ):
        name = f"python{dotted(version[:2])}-venv"
        return (
            f"This Python cannot make environments: run `sudo apt install {name}` (Debian, "
            f"Ubuntu) or install Python from python.org, then run `{command}` again."
        )
    if "PATH separator" in output:
        return (
            f"The course's path contains a {os.pathsep!r}, which Python environments do not "
            f"allow: rename that folder and run `{command}` again."
        )
    kind, sentence = diagnose(output, command)
    if kind == "other":
        sentence = (
            f'The environment .venv could not be made ("{last_relevant(output)}"): delete the '
            f"folder .venv if it is there and run `{command}` again."
        )
    return sentence


def needs_install(present, stamp, wanted, probe):
    """What to do about .venv: ("nothing" | "update" | "build", why in one sentence or "").

    present: the folder is there. stamp: what the last complete install noted, or None.
    wanted: {"requirements", "pythons", "system", "folder"} as they are now.
    probe: {"python", "installed"} as the environment's own Python answers, None if it does not.
    """
    if not present:
        return "build", ""
    if not isinstance(stamp, dict) or stamp.get("complete") is not True:
        return "build", "The environment in .venv is half made: making it anew."
    if stamp.get("system") != wanted["system"]:
        return "build", "The environment in .venv was made on another system: making it anew."
    if stamp.get("folder") != wanted["folder"]:
        return "build", "The environment in .venv comes from another folder: making it anew."
    if stamp.get("python") not in wanted["pythons"]:
        return "build", (
            f"The environment in .venv was made by Python {stamp.get('python')}, and this is "
            f"{wanted['pythons'][0]}: making it anew."
        )
    if probe is None or probe["python"] != stamp["python"]:
        return "build", "The Python in .venv does not start any more: making it anew."
    if stamp.get("requirements") != wanted["requirements"]:
        return "update", "The list requirements.txt has changed: bringing .venv up to date."
    for name, version in sorted(stamp.get("installed", {}).items()):
        if probe["installed"].get(name) != version:
            return "update", f"The package {name} {version} is missing in .venv: putting it back."
    return "nothing", ""


def pins(requirements):
    """{name: version} of the `name==version` lines of a requirements text."""
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==([^\s;#]+)", requirements, re.M))


def uv_environ(environ):
    """The environment for uv: what is set for pip (index, offline folder, certificate) counts."""
    env = dict(environ)
    if env.get("PIP_INDEX_URL"):
        env.setdefault("UV_DEFAULT_INDEX", env["PIP_INDEX_URL"])
    if env.get("PIP_FIND_LINKS"):
        env.setdefault("UV_FIND_LINKS", ",".join(env["PIP_FIND_LINKS"].split()))
    if env.get("PIP_CERT"):
        env.setdefault("SSL_CERT_FILE", env["PIP_CERT"])
    return env


def is_on(value):
    return (value or "").strip().lower() in ("1", "true", "yes", "on", "y", "t")


def pip_environ(environ):
    """The environment for pip: options that would install somewhere else are taken out."""
    env = dict(environ)
    for name in ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_DRY_RUN", "PIP_PYTHON"):
        env.pop(name, None)
    env["PIP_USER"] = "0"
    return env


def home_environ(folder):
    """Where Jupyter, IPython and matplotlib keep their files when the home cannot be written."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    names += ("MPLCONFIGDIR", "XDG_CACHE_HOME")
    env = {name: os.path.join(folder, name.lower()) for name in names}
    env["PIP_NO_CACHE_DIR"] = env["UV_NO_CACHE"] = "1"
    return env


def lesson_advice(problem):
    """What to do about `problem`, which stopped a lesson of `check`."""
    advice = "if you changed this notebook, `start.py reset` puts it back and keeps your version"
    for pattern, other in (
        (r"ModuleNotFoundError|ImportError", "delete the folder .venv and try again"),
        (NO_SPACE, "free some disk space and try again"),
        (r"kernel ended|ran longer than|MemoryError", "close other programs and try again"),
        (r"no kernel started", "allow programs to talk to 127.0.0.1 (firewall) and try again"),
    ):
        if re.search(pattern, problem, re.I):
            return other
    return advice


def foreign_folder(path, root, home):
    """None when `path` may be deleted as the course's data, else why not, in half a sentence."""
    real, root, home = (os.path.realpath(p) for p in (path, root, home))
    if os.path.islink(path):
        return "it is a link to another folder"
    if not os.path.isdir(real):
        return "it is not a folder"
    for name, inner in (("this course", root), ("your home folder", home)):
        if inner == real or inner.startswith(real.rstrip(os.sep) + os.sep):
            return f"it holds {name}"
    if os.path.dirname(real) == real:
        return "it is the root of the disk"
    entries = os.listdir(real)
    ours = (
        real == os.path.join(root, ".course-data") or MARKER in entries or KNOWN.issuperset(entries)
    )
    if not ours or ".git" in entries:
        return "it holds something that the course did not make"
    return None


# ---------------------------------------------------------------- the environment


def suitable_pythons():
    """Commands on this machine that start Python 3.11 to 3.13, newest first."""
    found = []
    for version in reversed(SUPPORTED):
        tries = [[f"python{dotted(version)}"], ["py", f"-{dotted(version)}"]]
        for command in tries + [["python3"], ["python"]]:
            if shutil.which(command[0]):
                code = "import sys; print('%d.%d' % sys.version_info[:2])"
                status, output = captured(command + ["-c", code])
                if status == 0 and output.strip() == dotted(version):
                    found.append(" ".join(command))
                    break
    return found


def captured(command, env=None, cwd=None):
    """(exit code, output and errors as text) of a short command; (127, why) if it cannot start."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            timeout=300,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 127, str(error)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def venv_python(venv):
    if os.name == "nt":
        return os.path.join(venv, "Scripts", "python.exe")
    return os.path.join(venv, "bin", "python")


def own_python():
    """The Python that makes .venv: not .venv's own, which may be about to be deleted."""
    if sys.prefix != sys.base_prefix:
        return getattr(sys, "_base_executable", None) or sys.executable
    return sys.executable


def read_text(path):
    """The text of a file, or "" when it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def read_stamp(venv):
    try:
        return json.loads(read_text(os.path.join(venv, STAMP)))
    except ValueError:
        return None


def probe(python, names):
    """Ask .venv's Python (the program `python`) for its version and the versions of `names`; None if it cannot answer."""
    code = (
        "import json, sys\n"
        "from importlib.metadata import distributions\n"
        "have = {(d.metadata['Name'] or '').lower(): d.version for d in distributions()}\n"
        "names = {n: have[n.lower()] for n in sys.argv[1:] if n.lower() in have}\n"
        "print(json.dumps({'python': '%d.%d' % sys.version_info[:2], 'installed': names}))\n"
    )
    status, output = captured([python, "-I", "-c", code] + sorted(names))
    try:
        return json.loads(output.splitlines()[-1]) if status == 0 else None
    except (ValueError, IndexError):
        return None


def wanted_stamp(root, version=None):
    version = tuple(version or sys.version_info)[:2]
    text = read_text(os.path.join(root, "requirements.txt"))
    return {
        "requirements": hashlib.sha256(text.encode("utf-8")).hexdigest(),
        "pythons": [dotted(version)] if version in SUPPORTED else [dotted(v) for v in SUPPORTED],
        "system": f"{sys.platform}-{platform.machine()}",
        "folder": os.path.normcase(os.path.realpath(os.path.join(root, ".venv"))),
    }


@contextlib.contextmanager
def one_at_a_time(path):
    """Hold a lock on the file `path` (this script): the system frees it however we end."""
    with open(path, "rb") as file:
        told = False
        while not try_lock(file):
            if not told:
                say("Another start.py is preparing the environment: waiting for it.")
            told = True
            time.sleep(0.5)
        yield


def try_lock(file):
    """True when locked, or when this system cannot lock (then starts are simply not ordered)."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(1 << 30)  # a byte far behind the end, so that reading is not blocked
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True


def run_logged(command, log, env, cwd):
    """Run an installer; show that something moves; return (exit code, all it printed)."""
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=env,
        cwd=cwd,
    )
    lines = []

    def collect():
        for raw in child.stdout:
            line = redact(raw.decode("utf-8", "replace"))
            lines.append(line)
            with contextlib.suppress(OSError):  # a full disk must not hide what pip said
                with open(log, "a", encoding="utf-8") as file:
                    file.write(line)

    reader = threading.Thread(target=collect, daemon=True)
    reader.start()
    try:
        show_progress(reader, lines)
        return child.wait(), "".join(lines)
    finally:
        if child.poll() is None:  # Ctrl-C reached us first: let the installer end
            child.terminate()
            child.wait()


def show_progress(reader, lines):
    """Until `reader` ends: one live line on a terminal, otherwise a dot every two seconds."""
    live = sys.stdout.isatty()
    start = time.monotonic()
    width = dots = 0
    while reader.is_alive():
        reader.join(0.25 if live else 2)
        if live:
            width = max(20, shutil.get_terminal_size().columns - 1)
            text = next((line.strip() for line in reversed(lines) if line.strip()), "")
            text = re.sub(r" \(from .*|\x1b\[[0-9;]*m", "", text)
            text = f"  {time.monotonic() - start:3.0f} s  {text}"[:width]
            say("\r" + text.ljust(width), end="")
        elif reader.is_alive():
            dots += 1
            say(".", end="")
    if live:
        say("\r" + " " * width + "\r", end="")
    elif dots:
        say("")


def remove_environment(venv):
    """Delete .venv if it looks like an environment, half made or not; refuse otherwise."""
    if os.path.islink(venv):
        os.unlink(venv)
        return
    if not os.path.lexists(venv):
        return
    made = {"bin", "include", "lib", "lib64", "scripts", "share", "etc", "pyvenv.cfg"}
    made |= {".gitignore", "cachedir.tag", ".lock", STAMP, LOG}
    if not os.path.isdir(venv) or (
        not os.path.exists(os.path.join(venv, "pyvenv.cfg"))
        and not {entry.lower() for entry in os.listdir(venv)} <= made
    ):
        raise Problem(f"{venv} is not a Python environment: move it away and run this again.")
    # without its stamp a folder that could not be deleted to the end counts as half made
    with contextlib.suppress(FileNotFoundError):
        os.remove(os.path.join(venv, STAMP))
    shutil.rmtree(venv)


def installed_by(step, command, log, env, root, again):
    """Run one installer command or raise InstallFailed with the sentence for it."""
    status, output = run_logged(command, log, env, root)
    if status != 0:
        if shutil.disk_usage(root).free < FULL_DISK:  # `python -m venv` does not say why it failed
            output += "\nNo space left on device"
        explain = venv_problem(output, sys.version_info, again) if step == "venv" else None
        kind, sentence = diagnose(output, again, offline=is_on(env.get("PIP_NO_INDEX")))
        final = kind in ("disk", "rights", "path")
        raise InstallFailed(explain or sentence, last_relevant(output), final)


# Ready-made builds only: where one is missing, a newcomer's compiler would fail at length.


def uv_install(uv, python, env):
    command = [uv, "pip", "install", "--python", python, "--only-binary", ":all:"]
    return command + (["--no-index"] if is_on(env.get("PIP_NO_INDEX")) else [])


def pip_install(python):
    command = [python, "-m", "pip", "install", "--no-input", "--progress-bar", "off"]
    return command + ["--disable-pip-version-check", "--only-binary", ":all:"]


def make_with_uv(uv, root, venv, env, again, fresh):
    """Make or update .venv with uv; when this Python does not fit, with one that uv finds."""
    env = uv_environ(env)
    log = os.path.join(venv, LOG)
    if fresh:
        fits = sys.version_info[:2] in SUPPORTED
        choices = [own_python()] if fits else [dotted(version) for version in reversed(SUPPORTED)]
        for number, choice in enumerate(choices):
            try:
                command = [uv, "venv", "--seed", "--python", choice, venv]
                installed_by("uv", command, os.devnull, env, root, again)
                break
            except InstallFailed:
                if number == len(choices) - 1:
                    raise
                remove_environment(venv)
    command = uv_install(uv, venv_python(venv), env) + ["-r", "requirements.txt"]
    installed_by("uv", command, log, env, root, again)


def make_with_pip(root, venv, env, again, fresh):
    env = pip_environ(env)
    if fresh:
        command = [own_python(), "-m", "venv", venv]
        installed_by("venv", command, os.devnull, env, root, again)
    command = pip_install(venv_python(venv)) + ["-r", "requirements.txt"]
    installed_by("pip", command, os.path.join(venv, LOG), env, root, again)


def make(root, venv, env, again, fresh):
    """Build .venv (`fresh`) or bring it up to date, with uv if it is there, else with pip."""
    uv = shutil.which("uv")
    fits = sys.version_info[:2] in SUPPORTED
    if not fits and not uv:
        raise Problem(python_problem(sys.version_info, suitable_pythons(), again.split()[2:]))
    minutes = "with uv, some ten seconds" if uv else "a minute or two, once"
    say(f"Installing the course's packages into .venv ({minutes}) ...")
    if uv:
        try:
            return make_with_uv(uv, root, venv, env, again, fresh)
        except InstallFailed as problem:
            if problem.final or not fits:
                raise
            say(f'uv did not manage it ("{problem.detail}"): trying the same with pip.')
            fresh = True
    if fresh:
        remove_environment(venv)
    return make_with_pip(root, venv, env, again, fresh)


def ensure_environment(root, env, again):
    """Make sure .venv is there and complete; return its Python. Raises Problem."""
    if env.get("COURSE_PYTHON"):
        return env["COURSE_PYTHON"]
    venv = os.path.join(root, ".venv")
    names = pins(read_text(os.path.join(root, "requirements.txt")))
    if not names:
        raise Problem("requirements.txt is missing beside start.py: get the course again.")
    if sys.version_info[:2] not in SUPPORTED and not shutil.which("uv"):
        raise Problem(python_problem(sys.version_info, suitable_pythons(), again.split()[2:]))
    with one_at_a_time(os.path.join(root, "start.py")):
        wanted = wanted_stamp(root)
        present, stamp = os.path.lexists(venv), read_stamp(venv)
        action, why = needs_install(
            present, stamp, wanted, probe(venv_python(venv), names) if stamp else None
        )
        if action == "nothing":
            return venv_python(venv)
        if action == "update" and not shutil.which("uv"):
            if captured([venv_python(venv), "-m", "pip", "--version"])[0] != 0:
                action, why = "build", "The pip in .venv is broken: making it anew."
        if why:
            say(why)
        if action == "build":
            remove_environment(venv)
        else:
            os.remove(os.path.join(venv, STAMP))
        start = time.monotonic()
        make(root, venv, env, again, fresh=action == "build")
        answer = probe(venv_python(venv), names)
        if answer is None:
            raise Problem(f"The Python in .venv does not start: delete .venv and run `{again}`.")
        stamp = {key: wanted[key] for key in ("requirements", "system", "folder")}
        stamp.update(python=answer["python"], installed=answer["installed"], complete=True)
        with open(os.path.join(venv, STAMP), "w", encoding="utf-8") as file:
            json.dump(stamp, file, indent=1, sort_keys=True)
        say(f"Installed in {time.monotonic() - start:.0f} s.")
        if "secantusdb" not in answer["installed"]:
            say(
                "The embedded database has no build for this system: set MONGODB_URI to a "
                "MongoDB server for the lessons that store something (README, Databases)."
            )
    return venv_python(venv)


def data_folder(root, environ):
    """The course's data folder, absolute; a relative COURSE_DATA_DIR counts from the course."""
    chosen = environ.get("COURSE_DATA_DIR", "").strip() or ".course-data"
    return os.path.abspath(os.path.join(root, os.path.expanduser(chosen)))


def mark_data_folder(folder):
    """Leave our mark in the data folder if it is new or empty, so that `reset` knows it."""
    with contextlib.suppress(OSError):
        os.makedirs(folder, exist_ok=True)
        if not os.listdir(folder):
            with open(os.path.join(folder, MARKER), "w", encoding="utf-8") as file:
                file.write("The data of the course. `start.py reset` deletes this folder.\n")


def course_environ(root, environ):
    """The environment in which everything of the course runs."""
    env = dict(environ)
    env.pop("PYTHONHOME", None)  # would point .venv's Python at another standard library
    if env.get(
        "COURSE_DATA_DIR", ""
    ).strip():  # kernels start in notebooks/, tests in the root: one folder
        env["COURSE_DATA_DIR"] = data_folder(root, environ)
    env["JUPYTER_PREFER_ENV_PATH"] = "1"  # not a "python3" kernel from somewhere in the home
    home = os.path.expanduser("~")
    if not (os.path.isdir(home) and os.access(home, os.W_OK)):
        for name, value in home_environ(os.path.join(data_folder(root, env), "home")).items():
            env.setdefault(name, value)
    return env


def inside(env, venv):
    """`env` with .venv in front of PATH, so that `!pip` in a notebook is the right one."""
    if env.get("COURSE_PYTHON"):
        return env
    folder = os.path.dirname(venv_python(venv))
    return dict(env, VIRTUAL_ENV=venv, PATH=folder + os.pathsep + env.get("PATH", ""))


def run_to_end(command, env, cwd):
    """Run a program in our place and return its exit code; Ctrl-C is its business."""
    child = subprocess.Popen(command, env=env, cwd=cwd)
    before = signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    try:
        while True:
            with contextlib.suppress(KeyboardInterrupt):
                status = child.wait()
                return status if status >= 0 else 128 - status
    finally:
        signal.signal(signal.SIGTERM, before)


# ---------------------------------------------------------------- the commands


def open_lab(root, env, args):
    lesson = first_lessons(root)[0]
    python = ensure_environment(root, env, this_command())
    mark_data_folder(data_folder(root, env))
    command = [python, "-m", "jupyterlab", os.path.relpath(lesson, root)]
    command.append("--ServerApp.root_dir=" + root)  # links to ../helpers and ../README.md work
    if sys.platform.startswith("linux") and os.geteuid() == 0:
        command.append("--allow-root")
    say("Opening JupyterLab in your browser. If nothing opens, copy the address that starts")
    say("with http://localhost or http://127.0.0.1 from below. Ctrl-C here ends it.")
    return run_to_end(command + args, inside(env, os.path.join(root, ".venv")), root)


def run_tests(root, env, args):
    if os.path.isdir(os.path.join(root, ORIGINALS)) and not args:
        raise Problem(
            "This is a workshop copy: the tests compare outputs, which it has not. Run them in the "
            "course it was made from; `start.py check` says whether this machine is ready."
        )
    python = ensure_environment(root, env, this_command(["test"]))
    args = args[1:] if args[:1] == ["--"] else args or ALL_TESTS
    say("Running the tests: " + " ".join(["python -m pytest"] + args))
    command = [python, "-m", "pytest"] + args
    return run_to_end(command, inside(env, os.path.join(root, ".venv")), root)


def check(root, env, args):
    if args:
        raise Problem("`start.py check` takes no arguments.", status=2)
    again = this_command(["check"])
    try:
        first_lessons(root)
        python = ensure_environment(root, env, again)
    except Problem as problem:
        raise Problem(f"Not ready: {problem}") from problem
    env = inside(env, os.path.join(root, ".venv"))
    status, output = captured([python, "-m", "jupyterlab", "--version"], env, root)
    if status != 0:
        raise Problem(
            f'Not ready: JupyterLab does not start ("{last_relevant(output)}"): delete the '
            f"folder .venv and run `{again}` again."
        )
    say(f"JupyterLab {output.split()[-1]} starts.")
    return run_to_end([python, os.path.join(root, "start.py"), "_lessons"], env, root)


def workshop(root, env, args):
    if len(args) > 1 or any(arg.startswith("-") for arg in args):
        raise Problem("`start.py workshop` takes one argument, the folder to make.", status=2)
    python = ensure_environment(root, env, this_command(["workshop"] + args))
    folder = [os.path.abspath(os.path.expanduser(arg)) for arg in args]
    return run_to_end([python, "-m", "helpers.workshop"] + folder, env, root)


def first_lessons(root):
    """The paths of lessons 00 to 02; Problem if one is missing."""
    paths = []
    for number in ("00", "01", "02"):
        pattern = os.path.join(glob.escape(root), "notebooks", number + "_*.ipynb")
        paths += sorted(glob.glob(pattern))[:1] or [None]
        if paths[-1] is None:
            raise Problem(
                f"The notebook of lesson {number} is missing: run `git restore notebooks`, or "
                "get the course again."
            )
    return paths


def run_lessons(root):
    """Inside the environment: run lessons 00 to 02, write nothing; ends with one closing line."""
    sys.path.insert(0, root)
    from pathlib import Path

    from helpers.rebuild import rebuild

    start = time.monotonic()
    for path in first_lessons(root):
        result = rebuild(Path(path))
        name = os.path.basename(path)
        if result.problem:
            problem = redact(result.problem.splitlines()[0]).rstrip(".")
            raise Problem(f"Not ready: {name} stopped in {problem}; {lesson_advice(problem)}.")
        say(f"{name} ran to its end in {result.seconds:.0f} s.")
    seconds = time.monotonic() - start
    say(f"Ready: lessons 00, 01 and 02 ran to their end on this machine in {seconds:.0f} s.")
    return 0


def add_local_model(root, env, args):
    """Install requirements-local.txt beside the course's packages."""
    if args:
        raise Problem("`start.py local` takes no arguments.", status=2)
    again = this_command(["local"])
    names = pins(read_text(os.path.join(root, "requirements-local.txt")))
    if not names:
        raise Problem("requirements-local.txt is missing beside start.py: get the course again.")
    python = ensure_environment(root, env, again)
    with one_at_a_time(os.path.join(root, "start.py")):
        found = probe(python, names)
        if not found or found["installed"] != names:
            say("Installing a small real model and its server (130 MB) ...")
            install_beside(root, python, env, again)
    status, output = captured([python, "-c", "import xllamacpp"], env, root)
    if status != 0:
        raise Problem(
            f'The local model is installed, but does not start here ("{last_relevant(output)}"): '
            "use another backend."
        )
    say(
        'Ready: connect("local") in a lesson, or COURSE_BACKEND=local for all. Restart open kernels.'
    )
    return 0


def install_beside(root, python, env, again):
    """Add requirements-local.txt to `python`, without what its packages would need elsewhere."""
    what = ["--no-deps", "-r", "requirements-local.txt"]
    venv = os.path.join(root, ".venv")
    log = os.devnull if env.get("COURSE_PYTHON") else os.path.join(venv, LOG)
    uv = shutil.which("uv")
    if uv:
        try:
            settings = uv_environ(env)
            command = uv_install(uv, python, settings) + what
            return installed_by("uv", command, log, settings, root, again)
        except InstallFailed as problem:
            if problem.final:
                raise
            say(f'uv did not manage it ("{problem.detail}"): trying the same with pip.')
    installed_by("pip", pip_install(python) + what, log, pip_environ(env), root, again)


def stop_server(root, python, env, data):
    """Stop the servers that use the folder `data`; none running is fine."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from helpers import database, local\n"
        "database.stop_server(sys.argv[2]); local.stop_server(sys.argv[2])\n"
    )
    captured([python, "-c", code, root, data], env, root)


def reset(root, env, args):
    if args:
        raise Problem("`start.py reset` takes no arguments.", status=2)
    data = data_folder(root, env)
    if os.path.lexists(data):
        why = foreign_folder(data, root, os.path.expanduser("~"))
        if why:
            raise Problem(
                f"The data folder {data} is left alone, and nothing was reset, because {why}: "
                "set COURSE_DATA_DIR to the course's own folder, or unset it."
            )
        python = env.get("COURSE_PYTHON") or venv_python(os.path.join(root, ".venv"))
        stop_server(root, python, env, data)
        delete_data(data)
        say(f"Deleted the data folder {os.path.relpath(data, root)}.")
    else:
        say("There is no data folder to delete.")
    if os.path.isdir(os.path.join(root, ORIGINALS)):
        say(restore_workshop(root))
        return 0
    git, why = git_of(root)
    restored = restore_with_git(git, root) if git else restore_without_git(root, env, why)
    say(restored)
    return 0


def delete_data(folder):
    """Delete the data folder; a program that still writes there is given two seconds to end."""
    for attempt in range(5):
        try:
            return shutil.rmtree(folder)
        except FileNotFoundError:
            if not os.path.lexists(folder):
                return None
        except OSError as error:
            if attempt == 4:
                raise Problem(
                    f"The data folder {folder} could not be deleted, because a program still uses "
                    f"it ({error.strerror}): close JupyterLab and run reset again."
                ) from error
        time.sleep(0.5)
    return None


def git_of(root):
    """(git command, "") when the course is a git clone with a commit, else (None, why not)."""
    git = shutil.which("git")
    if not git:
        return None, "git is not installed"
    status, output = captured([git, "rev-parse", "--show-prefix", "HEAD"], cwd=root)
    if status != 0 or output.splitlines()[0] != "":  # a prefix: a zip unpacked in another clone
        return None, "this folder is not a git clone"
    return git, ""


def restore_with_git(git, root):
    """Put the changed notebooks back from HEAD after saving them; returns the closing line."""
    command = [git, "diff", "--name-only", "-z", "--no-renames", "--diff-filter=MDT", "HEAD"]
    status, output = captured(command + ["--", "notebooks"], cwd=root)
    if status != 0:
        raise Problem(f'git could not compare the notebooks ("{last_relevant(output)}").')
    changed = [name for name in output.split("\0") if name]
    saved = [save_copy(root, name) for name in changed if os.path.isfile(os.path.join(root, name))]
    if changed:
        restore = [git, "restore", "--source=HEAD", "--worktree", "--"] + changed
        status, output = captured(restore, cwd=root)
        if status != 0 and "not a git command" in output:  # git before 2.23
            status, output = captured([git, "checkout", "HEAD", "--"] + changed, cwd=root)
        if status != 0:
            raise Problem(f'git could not restore the notebooks ("{last_relevant(output)}").')
    return closing_line(len(changed), saved)


def restore_workshop(root):
    """Put the notebooks of a workshop copy back as they were given out; returns the closing line."""
    count, saved = 0, []
    for original in sorted(glob.glob(os.path.join(glob.escape(root), ORIGINALS, "*.ipynb"))):
        name = os.path.join("notebooks", os.path.basename(original))
        path = os.path.join(root, name)
        if os.path.isfile(path):
            if same_bytes(path, original):
                continue
            saved.append(save_copy(root, name))
        shutil.copyfile(original, path)
        count += 1
    return closing_line(count, saved)


def restore_without_git(root, env, why):
    """Run the notebooks again, code as the learner left it; returns the closing line."""
    say(f"No original to take back ({why}): running the notebooks again as they are now.")
    python = ensure_environment(root, env, this_command(["reset"]))
    pattern = os.path.join(glob.escape(root), "notebooks", "*.ipynb")
    names = [os.path.relpath(path, root) for path in sorted(glob.glob(pattern))]
    saved = {name: save_copy(root, name) for name in names}
    inner = inside(env, os.path.join(root, ".venv"))
    status, output = captured([python, "-m", "helpers.rebuild"], inner, root)
    kept = []
    for name, copy in saved.items():
        if same_bytes(os.path.join(root, name), os.path.join(root, copy)):
            os.remove(os.path.join(root, copy))  # nothing changed: no copy needed
        else:
            kept.append(copy)
    if status != 0:
        raise Problem(
            f'Not every notebook ran to its end ("{last_relevant(output)}"): get the course '
            "again for the original notebooks; your data folder is reset."
        )
    return closing_line(len(kept), kept)


def closing_line(count, saved):
    if not count:
        return "The notebooks are as shipped. Reset is done."
    text = f"Put back {count} notebook{'' if count == 1 else 's'}. Reset is done."
    if saved:
        text += " Your versions are kept: " + ", ".join(saved) + "."
    return text


def save_copy(root, name):
    """Copy a changed notebook to saved-notebooks/ under a new name; never overwrites."""
    folder = os.path.join(root, "saved-notebooks")
    os.makedirs(folder, exist_ok=True)
    stem, ending = os.path.splitext(os.path.basename(name))
    with open(os.path.join(root, name), "rb") as file:
        content = file.read()
    number = 1
    while True:
        copy = os.path.join("saved-notebooks", f"{stem}-{number}{ending}")
        try:
            with open(os.path.join(root, copy), "xb") as file:
                file.write(content)
            return copy
        except FileExistsError:
            number += 1


def same_bytes(one, other):
    with open(one, "rb") as first, open(other, "rb") as second:
        return first.read() == second.read()


def main(args, root=ROOT, environ=None):
    """Run one command; returns the exit code. Every known problem is one printed sentence."""
    command = args[0] if args else ""
    again = this_command(args)
    try:
        if command in ("-h", "--help", "help"):
            say(__doc__.strip())
            return 0
        if command == "_lessons":  # `check` calls this in the environment
            return run_lessons(root)
        if command not in ("", "--") + COMMANDS:
            raise Problem(
                f"start.py knows no command {command!r}: use none (opens JupyterLab), test, "
                "check, local, reset, workshop or --help.",
                status=2,
            )
        env = course_environ(root, os.environ if environ is None else environ)
        runs = {"test": run_tests, "check": check, "local": add_local_model, "reset": reset}
        runs["workshop"] = workshop
        return runs.get(command, open_lab)(root, env, args[1:])
    except Problem as problem:
        say(str(problem))
        return problem.status
    except KeyboardInterrupt:
        say(f"\nStopped. What is half made is noticed: run `{again}` again to continue.")
        return 130
    except OSError as error:
        sentence = os_problem(error, again)
        if sentence is None:
            raise
        say(sentence)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
