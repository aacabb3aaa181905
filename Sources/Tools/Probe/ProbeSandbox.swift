import CSeccomp
import Glibc

/// Restricts this process: after `enter`, it can compute, read and write its open descriptors, and end. It cannot open files
/// or sockets, start programs or signal processes. Only the end of the process removes the restrictions.
///
/// For a process of its own with one thread. Call `enter` before the process reads the first byte of a model.
enum ProbeSandbox {
    struct Limits {
        /// The address space, including the program and its libraries.
        var memoryBytes: UInt64 = 4 << 30
        var cpuSeconds: UInt64 = 30
        /// The size of standard output and standard error, if they are files.
        var outputBytes: UInt64 = 16 << 20
        /// Descriptors 0 to 2 and the model: no new one fits.
        var descriptors: UInt64 = 4
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func enter(_ limits: Limits = Limits()) throws(Failure) {
        try limit(RLIMIT_AS, to: limits.memoryBytes)
        // One second more for the hard limit, so that SIGXCPU ends the process: SIGKILL would look like a lack of memory.
        try limit(RLIMIT_CPU, to: limits.cpuSeconds, hard: limits.cpuSeconds + 1)
        try limit(RLIMIT_CORE, to: 0)
        // No file can be opened, but the output may go to a file.
        try limit(RLIMIT_FSIZE, to: limits.outputBytes)
        try limit(RLIMIT_NOFILE, to: limits.descriptors)
        try installFilter()
    }

    private static func limit(
        _ resource: __rlimit_resource, to value: UInt64, hard: UInt64? = nil
    ) throws(Failure) {
        var current = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &current)
        var new = rlimit(
            rlim_cur: min(rlim_t(value), current.rlim_max), rlim_max: min(rlim_t(hard ?? value), current.rlim_max))
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &new) == 0 else {
            throw Failure(description: "cannot set a resource limit: \(String(cString: strerror(errno)))")
        }
    }

    /// The system calls for computing. All others fail with EPERM, so that a library gets an error and does not end suddenly.
    /// libseccomp also sets no_new_privs, so that the filter survives any exec.
    private static let allowed = [
        "brk", "clock_gettime", "clock_nanosleep", "close", "exit", "exit_group", "fstat", "futex", "getcpu",
        "getpid", "getrandom", "gettid", "gettimeofday", "lseek", "madvise", "mremap", "munmap", "nanosleep", "pread64",
        "read", "restart_syscall", "rseq", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sched_getaffinity",
        "sched_yield", "set_robust_list", "sigaltstack", "sysinfo", "uname", "write", "writev",
    ]

    private static func installFilter() throws(Failure) {
        guard let filter = seccomp_init(hearth_seccomp_refuse()) else {
            throw Failure(description: "cannot make a seccomp filter")
        }
        defer { seccomp_release(filter) }
        for name in allowed { try allow(name, [], in: filter) }
        // Memory, but never executable memory.
        let notExecutable = comparison(2, SCMP_CMP_MASKED_EQ, UInt64(PROT_EXEC), 0)
        try allow("mmap", [notExecutable], in: filter)
        try allow("mprotect", [notExecutable], in: filter)
        // `fstat` of newer C libraries: with a descriptor, not a path.
        try allow("newfstatat", [comparison(3, SCMP_CMP_EQ, 0x1000, 0)], in: filter)
        // `abort` signals its own process, and no other one.
        try allow("tgkill", [comparison(0, SCMP_CMP_EQ, UInt64(getpid()), 0)], in: filter)
        try check(seccomp_load(filter), "load the seccomp filter")
    }

    private static func allow(_ name: String, _ conditions: [scmp_arg_cmp], in filter: scmp_filter_ctx) throws(Failure)
    {
        let number = seccomp_syscall_resolve_name(name)
        try check(
            seccomp_rule_add_array(filter, hearth_seccomp_allow(), number, UInt32(conditions.count), conditions),
            "allow \(name)")
    }

    private static func comparison(_ argument: UInt32, _ kind: scmp_compare, _ a: UInt64, _ b: UInt64) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: kind, datum_a: a, datum_b: b)
    }

    private static func check(_ status: Int32, _ operation: String) throws(Failure) {
        guard status == 0 else {
            throw Failure(description: "cannot \(operation): \(String(cString: strerror(-status)))")
        }
    }
}
