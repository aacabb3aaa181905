import HearthCatalog
import HearthTargeting
import HearthWire

/// The condition in the audience that a caller gives a release. The rules of releases know nothing of the language.
enum ReleaseCondition {
    /// - Returns: what the caller should know of it, one line each.
    /// - Throws: 400 that names the first character which cannot be read.
    static func check(_ audience: Audience?) throws(APIError) -> [String] {
        guard let text = audience?.condition else { return [] }
        do throws(ConditionSyntaxError) {
            return try Condition(text).signalsOfFetchesOnly.map {
                "nobody meets the condition: a device that asks for a model does not tell \(CallerText.word($0))"
            }
        } catch {
            throw .invalid(
                "audience.condition", "\(error)", message: "The audience's condition cannot be read. \(error)")
        }
    }
}
