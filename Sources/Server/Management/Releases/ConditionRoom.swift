import HearthRouting
import HearthServing
import HearthTargeting

extension ServingSnapshot.ProjectPart {
    /// Checks whether the project may have this condition in addition to its own.
    ///
    /// - Throws: 400 if all their regular expressions together need more instructions than allowed.
    func check(_ condition: Condition?, field: String) throws(APIError) {
        guard let condition, condition.instructions > 0 else { return }
        var instructions = condition.instructions
        var seen: Set<String> = [condition.text]
        for other in conditions where seen.insert(other.text).inserted {
            instructions += other.condition?.instructions ?? 0
            guard instructions <= ConditionLimits.projectInstructions else {
                let text = """
                    The regular expressions of the conditions of all releases under way and all running experiments of the project \
                    need more than \(ConditionLimits.projectInstructions) instructions together. End some of them, or write fewer \
                    or shorter expressions; contains and exactlyMatches need none.
                    """
                throw .invalid(field, text, message: text)
            }
        }
    }
}
