/// One call of the HTTP interface, as data: how it is made, who may make it, which thread answers it, and what it does.
///
/// The server makes its routes and its description of itself of these values; clients and pages make their requests of them.
/// So a call's path stands in one place.
///
/// `Request` and `Answer` are the types of the JSON bodies, or `NoBody`, or `RawBody` for bodies that are no JSON.
package struct Call<Lane: CallLane, Request: Sendable, Answer: Sendable>: DescribedCall {
    package let description: CallDescription

    package init(
        _ method: CallMethod, _ path: String, _ access: CallAccess, _ subject: CallSubject, _ summary: String,
        query: [CallQuery] = [], requestMedia: String? = nil, answerMedia: String? = nil, answer: String = "Done."
    ) {
        description = CallDescription(
            method: method, path: CallPath(path), access: access, subject: subject, summary: summary,
            query: query, request: { Request.self as? any Decodable.Type }, requestMedia: requestMedia,
            answer: { Answer.self as? any Decodable.Type }, answerMedia: answerMedia, answerSummary: answer)
    }

}

/// A call with any lane and any bodies.
package protocol DescribedCall: Sendable {
    var description: CallDescription { get }
}

extension DescribedCall {
    package var method: CallMethod { description.method }
    package var path: CallPath { description.path }
}

/// What a call says of itself, without the types of its bodies.
package struct CallDescription: Sendable {
    package let method: CallMethod
    package let path: CallPath
    package let access: CallAccess
    package let subject: CallSubject
    /// One sentence.
    package let summary: String
    package let query: [CallQuery]
    // Functions, because a type is not known to be sendable here.
    private let requestType: @Sendable () -> (any Decodable.Type)?
    private let answerType: @Sendable () -> (any Decodable.Type)?
    /// The media type of a body that is no JSON.
    package let requestMedia: String?
    /// The media type of an answer that is no JSON.
    package let answerMedia: String?
    /// What the answer is, in one sentence.
    package let answerSummary: String

    fileprivate init(
        method: CallMethod, path: CallPath, access: CallAccess, subject: CallSubject, summary: String,
        query: [CallQuery], request: @escaping @Sendable () -> (any Decodable.Type)?, requestMedia: String?,
        answer: @escaping @Sendable () -> (any Decodable.Type)?, answerMedia: String?, answerSummary: String
    ) {
        (self.method, self.path, self.access) = (method, path, access)
        (self.subject, self.summary, self.query) = (subject, summary, query)
        (requestType, self.requestMedia) = (request, requestMedia)
        (answerType, self.answerMedia, self.answerSummary) = (answer, answerMedia, answerSummary)
    }

    /// The type of its JSON body; nil without one.
    package var request: (any Decodable.Type)? { requestType() }
    /// The type of the JSON that it answers; nil without one.
    package var answer: (any Decodable.Type)? { answerType() }
}

/// A call without a body, or an answer without one that a client reads.
package enum NoBody: Sendable {}

/// A body that is no JSON.
package enum RawBody: Sendable {}

/// A method of HTTP.
package enum CallMethod: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// Which thread answers a call, and what it may wait for.
///
/// Routes that the server makes of the lane keep to it, because of its type (`RouteContext.on`). For routes by hand, such as those of
/// devices and of Google's storage, it says what they do.
package protocol CallLane: Sendable {}

/// The lanes of calls.
package enum Lane {
    /// From memory, on the HTTP server's threads.
    package enum Now: CallLane {}
    /// A few records, which may be in a database elsewhere.
    package enum LookUp: CallLane {}
    /// Much is read or computed, in the queue of the project.
    package enum Read: CallLane {}
    /// Something is written: in the writers' queue, or in that of an intake of the device plane.
    package enum Change: CallLane {}
    /// The body or the answer is bytes that pass through, or an answer that goes on.
    package enum Stream: CallLane {}
}

/// Who may make a call.
package enum CallAccess: Sendable, Hashable {
    /// Anybody; or the call checks its caller itself.
    case anyone
    /// Whoever has the API key of the project.
    case apiKey
    /// An installation of an app: the API key of the project and the installation's token.
    case device
    /// Every account and token.
    case signedIn
    /// Accounts and tokens of the project with this role or a higher one.
    case viewer, publisher, owner
    /// An operator of the server.
    case serverOperator
    /// An operator, and a follower with its token.
    case mirror
}

/// What a call is about, which orders their description.
package enum CallSubject: String, Sendable {
    case health, devices, models, releases, rehearsals, uploads, experiments, projects, keys, console, server, storage
    case remoteConfig = "remote config"
}

/// An item of a call's query.
package struct CallQuery: Sendable {
    package let name: String
    /// One sentence.
    package let summary: String

    package init(_ name: String, _ summary: String) {
        self.name = name
        self.summary = summary
    }

    package static let maxAge = CallQuery(
        "maxAge", "How old the counts may be, in seconds, up to 86400, for a quick answer. 0 by default.")
    package static let pages = [
        CallQuery("pageSize", "Most items of the answer."),
        CallQuery("pageToken", "Where the answer begins: nextPageToken of the one before."),
    ]
}
