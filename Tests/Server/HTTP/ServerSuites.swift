import Testing

/// The suites with a running server, one test at a time: each takes threads, connections and descriptors. What is
/// measured of a process is measured in one of its own, because other suites run beside these.
@Suite(.serialized) enum ServerSuites {}
