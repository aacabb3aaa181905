import Testing

/// Real programs against real programs, one test at a time: they measure memory, kill processes and share two cores.
@Suite(.serialized) enum EndToEndSuites {}
