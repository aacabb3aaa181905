import Testing

/// Real programs against real programs, one test at a time: they measure memory, kill processes and share two cores.
///
/// `Server` has one of the same name: a suite belongs to the module of its tests.
@Suite(.serialized) enum EndToEndSuites {}
