import Testing

/// The suites with a running server, one test at a time: they measure this process's memory, threads and descriptors.
@Suite(.serialized) enum ServerSuites {}
