import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource

/// The labels that a labeler may return. Names are class names or display names; unknown ones are ignored.
struct LabelFilter: Sendable, Equatable {
    /// Empty for all labels.
    var allowed: [String] = []
    var denied: [String] = []

    /// Whether each label may be returned; nil when all may.
    /// - Throws: When the options contradict each other, when the model has no labels, or when no label remains.
    func isAllowed(_ labels: LabelMap?) throws -> [Bool]? {
        if allowed.isEmpty && denied.isEmpty { return nil }
        guard allowed.isEmpty || denied.isEmpty else {
            throw VisionError.make(.invalidArgument, "Give allowedLabels or deniedLabels, not both.")
        }
        guard let labels else {
            throw VisionError.make(
                .failedPrecondition, "The model has no label file, so allowedLabels and deniedLabels cannot be used.")
        }
        let names = Set(allowed + denied)
        let isAllowed = (0..<labels.count).map { index in
            let isNamed = [labels.className(index), labels.displayName(index)].contains {
                $0.map(names.contains) ?? false
            }
            return isNamed != allowed.isEmpty
        }
        guard isAllowed.contains(true) else {
            throw VisionError.make(
                .invalidArgument, "allowedLabels and deniedLabels leave no label of the model; check their spelling.")
        }
        return isAllowed
    }
}
