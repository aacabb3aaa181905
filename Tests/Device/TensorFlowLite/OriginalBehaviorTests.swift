import Testing

/// What apps written against the TensorFlow Lite Swift library can observe: each declaration of its `Interpreter` and of
/// its other types, what its own tests expect, and what its users stumbled over. A suite for each, in extensions.
///
/// Where this module knows a better error, the test says so.
@Suite enum OriginalBehaviorTests {}
