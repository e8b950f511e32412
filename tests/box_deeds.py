"""What a hostile bot tries, by the promise that each would break. None does harm to others where it succeeds.

Each is a Python expression that raises OSError where it is refused. ``call`` makes a system call by its number, and
the names in capitals are given by the test: VICTIM is a file of the user's, FOLDER the folder it is in.
"""

from __future__ import annotations

from parlour.bots.box.sandbox.selftest import ATTRIBUTES, FILES, IDLE, NAMES, NETWORK, NEW, OTHERS, PRIVILEGES, SHARED

PREAMBLE = """
import ctypes, fcntl, mmap, os, platform, resource, signal, socket, struct, subprocess, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
WRITE_LOCK = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
HERE = os.open(os.__file__, os.O_RDONLY)
TIME = os.stat(HERE).st_mtime
ACCEPT = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0xFFFF))
FILTER = struct.pack("HxxxxxxP", 1, ctypes.addressof(ACCEPT))
WAKING = struct.pack("qii48x", 0, signal.SIGCONT, 0)

def call(x86, arm, *arguments):
    number = x86 if X86 else arm
    if number is None: raise OSError("no such call here")
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return check(libc.syscall(ctypes.c_long(number), *words))

def check(result):
    if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def opened(path, flags=os.O_RDONLY):
    return os.open(path, flags)

def machine_code(code):
    if not X86: raise OSError("not this machine's code")
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    page.write(code)
    return check(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))())

def attempt(what, deed):
    try: deed()
    except (OSError, ValueError): print("refused:", what, file=sys.stderr, flush=True)
    else: print("DONE:", what, file=sys.stderr, flush=True)
"""

DEEDS = {
    FILES: {
        "reading the system's users": "opened('/etc/passwd')",
        "reading the user's file": "opened(VICTIM)",
        "reading it through a link": "(os.symlink(VICTIM, 'link'), opened('link'))",
        "reading it by the way up": "opened('../' * 40 + VICTIM)",
        "reading it from the root of init": "opened('/proc/1/root' + VICTIM)",
        "listing the home folder": "os.listdir(os.path.expanduser('~root'))",
        "listing the root": "os.listdir('/')",
        "listing the folder around its own": "os.listdir('..')",
        "reading what another process was started with": "opened('/proc/1/environ')",
        "reading what it was started with": "opened('/proc/self/environ')",
        "reading memory as a file": "opened('/proc/self/mem')",
        "reading another's memory": "opened('/proc/1/mem')",
        "the terminal": "opened('/dev/tty')",
        "shared memory as a file": "opened('/dev/shm/parlour-escape', os.O_CREAT | os.O_RDWR)",
        "a message queue as a file": "os.listdir('/dev/mqueue')",
        "system settings": "opened('/proc/sys/kernel/hostname', os.O_WRONLY)",
        "control groups": "os.listdir('/sys/fs/cgroup')",
        "writing outside": "opened(FOLDER + '/parlour-escape', os.O_CREAT | os.O_WRONLY)",
        "writing to Python": "opened(os.__file__, os.O_WRONLY)",
        "appending to Python": "opened(os.__file__, os.O_WRONLY | os.O_APPEND)",
        "emptying a file": "os.truncate(VICTIM, 0)",
        "moving a file": "os.rename(VICTIM, VICTIM + '.moved')",
        "linking a file": "os.link(VICTIM, 'mine')",
        "linking Python": "os.link(os.__file__, 'mine')",
        "removing a file": "os.unlink(VICTIM)",
        "removing a folder": "os.rmdir(EMPTY)",
        "making a folder": "os.mkdir(FOLDER + '/made')",
        "making a device": "os.mknod('null', 0o20666, os.makedev(1, 3))",
    },
    NAMES: {
        "whether a file is there": "os.stat(VICTIM)",
        "whether a folder is there": "os.stat(EMPTY)",
        "where a link leads": "os.readlink(LINK)",
        "the system's users": "os.stat('/etc/passwd')",
        "the file system of a folder": "os.statvfs(FOLDER)",
        "entering a folder": "os.chdir(FOLDER)",
        "a process outside": "os.stat(f'/proc/{CALLER}')",
    },
    ATTRIBUTES: {
        "setuid for a file": "os.chmod(VICTIM, 0o4777)",
        "the mode of Python": "os.chmod(os.__file__, os.stat(os.__file__).st_mode)",
        "the mode of a device": "os.chmod('/dev/null', 0o666)",
        "the mode of what is open": "os.fchmod(0, 0o666)",
        "the mode by a later call": "call(452, 452, -100, VICTIM.encode(), 0o777, 0)",
        "an owner": "os.chown(VICTIM, 0, 0)",
        "the owner of Python": "os.chown(os.__file__, -1, -1)",
        "the owner of what is open": "os.fchown(0, -1, -1)",
        "times": "os.utime(VICTIM)",
        "times of Python": "os.utime(os.__file__, (TIME, TIME))",
        "times of what is open": "os.utime(0)",
        "an extended attribute": "os.setxattr(VICTIM, 'user.x', b'1')",
        "removing an extended attribute": "os.removexattr(VICTIM, 'user.kept')",
        "flags of a file": "fcntl.ioctl(HERE, 0x40086602, fcntl.ioctl(HERE, 0x80086601, bytes(8)))",
        "flags by a later call": "call(469, 469, -100, os.__file__.encode(), 0, 0, 0)",
        "watching": "check(libc.inotify_init1(0))",
        "watching everything": "check(libc.fanotify_init(0, 0))",
        "watching a folder": "fcntl.fcntl(opened(os.path.dirname(os.__file__)), 1026, 0xF)",
        "a lock on Python": "fcntl.flock(opened(os.__file__), fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "who has a lock on Python": "fcntl.fcntl(opened(os.__file__), fcntl.F_GETLK, WRITE_LOCK)",
        "a lease on Python": "fcntl.fcntl(opened(os.__file__), 1024, fcntl.F_RDLCK)",
        "a file by its handle": "call(304, 265, -100, b'x' * 64, 0)",
    },
    NETWORK: {
        "TCP": "socket.create_connection(('127.0.0.1', PORT), 1)",
        "UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "a Unix socket": "socket.socket(socket.AF_UNIX)",
        "netlink": "socket.socket(16, socket.SOCK_RAW)",
        "the host of a virtual machine": "socket.socket(40, socket.SOCK_STREAM)",
        "the kernel's ciphers": "socket.socket(38, socket.SOCK_SEQPACKET)",
        "one of a pair, to another address": "socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b'x', ABSTRACT)",
        "io_uring": "call(425, 425, 8, ctypes.create_string_buffer(120))",
    },
    OTHERS: {
        "signalling the caller": "os.kill(CALLER, 0)",
        "signalling the caller's thread": "call(234, 131, CALLER, CALLER, 0)",
        "a signal with a value": "call(129, 138, CALLER, 10, ctypes.create_string_buffer(128))",
        "tracing": "check(libc.ptrace(0x4206, CALLER, 0, 0))",
        "reading its memory": "call(310, 270, CALLER, None, 0, None, 0, 0)",
        "writing its memory": "call(311, 271, CALLER, None, 0, None, 0, 0)",
        "a handle of it": "os.pidfd_open(CALLER)",
        "a handle of init": "os.pidfd_open(1)",
        "its limits": "resource.prlimit(CALLER, resource.RLIMIT_NOFILE)",
        "its priority": "os.setpriority(os.PRIO_PROCESS, CALLER, 19)",
        "its cores": "os.sched_setaffinity(CALLER, {0})",
        "its own cores": "os.sched_setaffinity(0, os.sched_getaffinity(0))",
        "signals when something happens": "fcntl.fcntl(0, fcntl.F_SETOWN, CALLER)",
        "counters of the processor": "call(298, 241, ctypes.create_string_buffer(128), 0, -1, -1, 0)",
    },
    SHARED: {
        "memory in a file without a name": "os.memfd_create('x')",
        "secret memory": "call(447, 447, 0)",
        "new shared memory": "check(libc.shmget(0, 4096, 0o1600))",
        "shared memory that is there": "check(libc.shmget(KEY, 0, 0))",
        "entering shared memory": "check(libc.shmat(SEGMENT, None, 0))",
        "removing shared memory": "check(libc.shmctl(SEGMENT, 0, None))",
        "semaphores": "check(libc.semget(0, 1, 0o1600))",
        "messages": "check(libc.msgget(0, 0o1600))",
        "a message queue": "call(240, 180, b'parlour-escape', 0o102, 0o600, None)",
        "a key": "call(248, 217, b'user', b'parlour', b'x', 1, -4)",
        "the user's keys": "call(250, 219, 0, -4, 0)",
        "page faults": "call(323, 282, 0)",
    },
    PRIVILEGES: {
        "mounting": "check(libc.mount(b'none', b'.', b'tmpfs', 0, None))",
        "unmounting": "check(libc.umount2(b'/proc', 2))",
        "another root": "check(libc.chroot(b'.'))",
        "a namespace": "check(libc.unshare(0x10000000))",
        "a thread in a namespace": "call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)",
        "another user": "os.setuid(1)",
        "being root again": "os.setresuid(0, 0, 0)",
        "powers": "check(libc.capset(struct.pack('Ii', 0x20080522, 0), struct.pack('6I', 1, 1, 1, 0, 0, 0)))",
        "code in the kernel": "call(321, 280, 0, None, 0)",
        "a filter in the kernel": "socket.socketpair()[0].setsockopt(1, 26, FILTER)",
        "a signal from a parent's end": "check(libc.prctl(1, signal.SIGCONT, 0, 0, 0))",
        "the children of others": "check(libc.prctl(36, 1, 0, 0, 0))",
        "being spared when memory runs out": "os.write(opened('/proc/self/oom_score_adj', os.O_WRONLY), b'-1000')",
        "the 32-bit way into the kernel": "machine_code(bytes.fromhex('b814000000cd80c3'))",
        "the x32 way into the kernel": "call(0x40000000 | 39, None)",
        "larger files than its limit": "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)",
        "core dumps": "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))",
    },
    IDLE: {
        "a clock that wakes it": "call(222, 107, 0, WAKING, ctypes.create_string_buffer(8))",
        "a signal when it is written to": "fcntl.fcntl(0, 10, signal.SIGCONT)",
    },
    NEW: {
        "a fork": "os.fork() or os._exit(0)",
        "the old fork": "call(57, None) or os._exit(0)",
        "a clone": "call(56, 220, signal.SIGCHLD, 0, 0, 0, 0) or os._exit(0)",
        "the new clone": "call(435, 435, struct.pack('11Q', *[0] * 4, 17, *[0] * 6), 88) or os._exit(0)",
        "a command": "subprocess.run(['/bin/true'])",
        "a program in its place": "os.execv('/bin/true', ['true'])",
        "a program by its handle": "call(322, 281, opened('/usr/bin/true'), b'', None, None, 0x1000)",
        "killing its parent": "os.kill(os.getppid(), 0)",
        "killing everybody": "os.kill(-1, 0)",
        "killing its group": "os.killpg(0, 0)",
    },
}
