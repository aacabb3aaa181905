/// The ETag with which callers name the version of a template that they read: `etag-{project number}-{version}`.
package enum TemplateETag {
    /// - Parameter version: 0 if there is no template yet.
    package static func tag(projectNumber: Int64, version: Int64) -> String { "etag-\(projectNumber)-\(version)" }

    /// The ETag of an answer to a validateOnly call.
    package static func validation(projectNumber: Int64) -> String { tag(projectNumber: projectNumber, version: 0) }
}
