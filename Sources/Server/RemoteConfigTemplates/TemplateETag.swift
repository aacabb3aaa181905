/// The tag by which callers say which version of a template they looked at: `etag-{project number}-{version}`.
package enum TemplateETag {
    /// - Parameter version: 0 where there is no template yet.
    package static func tag(projectNumber: Int64, version: Int64) -> String { "etag-\(projectNumber)-\(version)" }

    /// Of a reply to a question whether a template is valid.
    package static func validation(projectNumber: Int64) -> String { tag(projectNumber: projectNumber, version: 0) }

    /// Whether a change may be made by somebody who saw `shown`: he saw the present one, or did not want to look (`*`).
    package static func allows(_ shown: String, present: String) -> Bool { isForced(shown) || bare(shown) == present }

    package static func isForced(_ shown: String) -> Bool { bare(shown) == "*" }

    /// Some clients quote it.
    private static func bare(_ tag: String) -> Substring {
        tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count > 1 ? tag.dropFirst().dropLast() : tag[...]
    }
}
