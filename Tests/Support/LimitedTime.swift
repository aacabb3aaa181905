public import Testing

extension Trait where Self == TimeLimitTrait {
    /// What waits for something that does not come fails instead of holding up the run.
    ///
    /// All tests of a process begin at once and take turns, so this counts the others' time as well: minutes for what takes
    /// milliseconds alone.
    public static var limitedTime: Self { .timeLimit(.minutes(10)) }
}
