import HearthCatalog
import HearthTargeting
import HearthWire

/// The condition in the audience that a caller gives a release. The rules of releases know nothing of the language.
enum ReleaseCondition {
    /// - Returns: what the caller should know of it, one line each.
    /// - Throws: 400 that names the first character which cannot be read, or where the project's conditions would be too large.
    static func check(_ audience: Audience?, in project: String, _ serving: ServingState) throws -> [String] {
        guard let text = audience?.condition else { return [] }
        let condition = try read(text, serving.conditions)
        try serving.current().projects[project]?.check(condition, field: "audience.condition")
        return condition.signalsOfFetchesOnly.map {
            "nobody meets the condition: a device that asks for a model does not tell \(CallerText.word($0))"
        }
    }

    private static func read(_ text: String, _ conditions: RecentConditions) throws(APIError) -> Condition {
        do throws(ConditionSyntaxError) {
            return try conditions.read(text)
        } catch {
            throw .invalid(
                "audience.condition", "\(error)", message: "The audience's condition cannot be read. \(error)")
        }
    }
}
