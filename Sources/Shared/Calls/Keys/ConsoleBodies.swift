import HearthWire

/// Bodies of the calls about the web console: who may use it, and what they share. Times are RFC 3339.
public enum ConsoleBodies {
    /// A code that signs one browser in to the console.
    public struct SignInCode: Codable, Sendable, Equatable {
        /// The secret code; good once.
        public var code: String
        /// The path of the page that takes the code, from the server's address on; the code is its fragment, which
        /// browsers do not send.
        public var path: String
        /// When the code ends.
        public var expireTime: String

        package init(code: String, path: String, expireTime: String) {
            self.code = code
            self.path = path
            self.expireTime = expireTime
        }
    }

    /// The caller of an admin call.
    public struct Caller: Codable, Sendable, Equatable {
        /// A service account's email, `token:{id}`, or `link:{id}`.
        public var actor: String
        /// What people call it: the token's name, or the account's name without the address; absent for a link.
        public var name: String?
        /// `viewer`, `publisher` or `owner`.
        public var role: String
        /// The only project that the caller may use; absent for all projects.
        public var projectId: String?
        /// Whether the caller may also change the whole server; absent if not.
        public var `operator`: Bool?

        package init(actor: String, name: String?, role: String, projectId: String?, operator: Bool?) {
            self.actor = actor
            self.name = name
            self.role = role
            self.projectId = projectId
            self.operator = `operator`
        }
    }

    /// A browser that is signed in to the console.
    public struct Session: Codable, Sendable, Equatable {
        /// The session's id.
        public var id: String
        /// Who is signed in: a service account's email, or `token:{id}`.
        public var actor: String
        /// When the browser signed in.
        public var createTime: String
        /// When it was last used, exact to about a minute.
        public var useTime: String
        /// When it ends at the latest.
        public var expireTime: String
        /// The client's address at the sign-in.
        public var address: String
        /// What the browser calls itself.
        public var browser: String

        package init(
            id: String, actor: String, createTime: String, useTime: String, expireTime: String, address: String,
            browser: String
        ) {
            self.id = id
            self.actor = actor
            self.createTime = createTime
            self.useTime = useTime
            self.expireTime = expireTime
            self.address = address
            self.browser = browser
        }
    }

    package struct SessionList: Codable, Sendable {
        /// Newest first; omitted when empty.
        package var sessions: [Session]?

        package init(sessions: [Session]?) { self.sessions = sessions }
    }

    /// A link that shows one page of the console to whoever has it.
    public struct SharedLink: Codable, Sendable, Equatable {
        /// The link's id.
        public var id: String
        /// The id of the release's model; absent for an experiment.
        public var model: String?
        /// The release's number; absent for an experiment.
        public var release: Int?
        /// The experiment's name; absent for a release.
        public var experiment: String?
        /// When the link was made.
        public var createTime: String
        /// Who made it.
        public var createdBy: String
        /// When it ends.
        public var expireTime: String
        /// The link's path with its secret; only the answer that creates the link contains it.
        public var path: String?

        package init(
            id: String, model: String?, release: Int?, experiment: String?, createTime: String, createdBy: String,
            expireTime: String, path: String?
        ) {
            self.id = id
            self.model = model
            self.release = release
            self.experiment = experiment
            self.createTime = createTime
            self.createdBy = createdBy
            self.expireTime = expireTime
            self.path = path
        }
    }

    package struct SharedLinkList: Codable, Sendable {
        /// Newest first; omitted when empty.
        package var sharedLinks: [SharedLink]?

        package init(sharedLinks: [SharedLink]?) { self.sharedLinks = sharedLinks }
    }

    /// Either a release or an experiment.
    package struct CreateSharedLinkRequest: Codable, Sendable, KeyedBody {
        /// The model's id.
        package var model: String?
        package var release: Int?
        package var experiment: String?
        /// 7 days by default, at most 90.
        package var lifetimeSeconds: Int64?

        package enum CodingKeys: String, CodingKey, CaseIterable { case model, release, experiment, lifetimeSeconds }

        package init(
            model: String? = nil, release: Int? = nil, experiment: String? = nil, lifetimeSeconds: Int64? = nil
        ) {
            self.model = model
            self.release = release
            self.experiment = experiment
            self.lifetimeSeconds = lifetimeSeconds
        }
    }
}
