/// The engine behind ``Interpreter``.
public enum Runtime {
    /// The version of the LiteRT library that this module is made for, such as `2.3.0`.
    ///
    /// A constant: the library has no call that tells its version, so the version is pinned when it is installed.
    public static var version: String { "2.3.0" }
}
