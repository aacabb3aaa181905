import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthWire

extension ObjectConditions {
    /// The conditions in the query items of Google's storage API: `ifGenerationMatch` and the like.
    ///
    /// - Throws: 400 for a value that is not a number.
    init(_ query: QueryItems) throws(APIError) {
        self.init(
            generation: try Self.number("ifGenerationMatch", query),
            otherGeneration: try Self.number("ifGenerationNotMatch", query),
            metageneration: try Self.number("ifMetagenerationMatch", query),
            otherMetageneration: try Self.number("ifMetagenerationNotMatch", query))
    }

    /// A query item that must be a whole number; nil if it is missing.
    static func number(_ name: String, _ query: QueryItems) throws(APIError) -> Int64? {
        guard let text = query.first(name) else { return nil }
        guard let number = Int64(text) else {
            throw .invalid(name, "\(name) must be a whole number.", message: "\(name) must be a whole number.")
        }
        return number
    }

    /// For calls that write.
    ///
    /// - Throws: 412 if the object is not in the state that the caller expects.
    func check(_ present: UploadedObject?) throws(APIError) {
        guard verdict(on: present) == .met else { throw Self.notMet(present) }
    }

    /// Google's text, which tools compare; the details describe the object.
    static func notMet(_ present: UploadedObject?) -> APIError {
        var error = APIError(
            .failedPrecondition, "At least one of the pre-conditions you specified did not hold.", httpStatus: 412)
        let found =
            present.map { "The object has generation \($0.generation) and metageneration \($0.metageneration)." }
            ?? "There is no such object, which counts as generation 0."
        error.violations = [.init(field: "generation", description: found)]
        return error
    }
}
