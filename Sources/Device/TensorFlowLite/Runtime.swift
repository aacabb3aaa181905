/// The engine behind ``Interpreter``.
public enum Runtime {
    /// The version of the LiteRT library that this module is built for, such as `2.3.0`.
    ///
    /// A constant: the library has no call that returns its version, so the installed version is pinned.
    public static var version: String { "2.3.0" }
}
