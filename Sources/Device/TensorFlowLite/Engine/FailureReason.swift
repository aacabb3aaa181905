import CLiteRT

/// Finds out why a step failed whose reason the library only logs. Costs nothing until something fails.
enum FailureReason {
    /// Repeats a step that failed and returns the errors that the library prints about it, as one line; empty if there
    /// are none.
    static func ofRepeating(_ step: () -> Void) -> String {
        let (_, messages) = StandardErrorCapture.during { LogSeverity.withErrors(step) }
        var reasons: [String] = []
        for message in messages where message.level == .error {
            let reason = withoutPlace(message.text)
            if !reason.isEmpty, !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.joined(separator: "; ")
    }

    /// Without the source line in front: `[model_load.cc:316] Variable tensors ...`.
    private static func withoutPlace(_ text: String) -> String {
        guard text.first == "[", let end = text.firstIndex(of: "]") else { return text }
        return String(text[text.index(after: end)...].drop { $0 == " " })
    }
}
