/// What a main server and its followers send each other.
package enum MirrorBodies {
    package struct ExperimentFile: Sendable, Codable, Hashable {
        package var project: String
        package var experiment: String
        package var sha256: String

        package init(project: String, experiment: String, sha256: String) {
            self.project = project
            self.experiment = experiment
            self.sha256 = sha256
        }
    }

    package struct Installation: Sendable, Codable, Hashable {
        package var project: String
        package var fid: String
        package var appId: String
        /// In microseconds since 1970: part of what its refresh token is made from.
        package var created: Int64

        package init(project: String, fid: String, appId: String, created: Int64) {
            self.project = project
            self.fid = fid
            self.appId = appId
            self.created = created
        }
    }

    package struct Installations: Sendable, Codable {
        package var installations: [Installation]

        package init(installations: [Installation]) { self.installations = installations }

        /// The most in one call that adds some: less than the setting body-bytes, however long their ids are.
        package static let limit = 500
        /// The most in one page. The database looks at all installations for each page.
        package static let pageLimit = 5000
    }

    package struct Added: Sendable, Codable {
        package var added: Int

        package init(added: Int) { self.added = added }
    }

    /// How many installations the main server has: a follower asks for them only when there are others.
    package static let installationsHeader = "X-Hearth-Installations"
}
