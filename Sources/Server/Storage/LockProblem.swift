import HearthWire

/// A lock that servers of the same data need, and that none of them has or can have: for a while already.
package struct LockProblem: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case job(ServerJob)
        case modelFiles
    }

    /// A session of a role of the database that is no server's.
    package struct Holder: Sendable, Hashable {
        package let role: String
        package let session: Int

        package init(role: String, session: Int) {
            self.role = role.printable
            self.session = session
        }
    }

    package let subject: Subject
    /// Nil if nobody has it.
    package let holder: Holder?

    package init(_ subject: Subject, _ holder: Holder?) {
        self.subject = subject
        self.holder = holder
    }

    /// For everyone: names no role.
    package var summary: String {
        let who = holder == nil ? "" : ": a role of the database that is no server's has its lock"
        return switch subject {
        case .job: "no server does the job '\(subject.name)'\(who)"
        case .modelFiles: "uploads, or the removal of model files, fail\(who)"
        }
    }

    /// For operators.
    package var report: String {
        let sentence = "\(summary.prefix(1).uppercased() + summary.dropFirst())"
        guard let holder else { return "\(sentence)." }
        return """
            \(sentence). That is '\(holder.role)', in session \(holder.session). End it, SELECT \
            pg_terminate_backend(\(holder.session)), and let no other role connect: REVOKE CONNECT ON DATABASE … FROM PUBLIC.
            """
    }
}

extension LockProblem.Subject: CaseIterable {
    package static var allCases: [Self] { ServerJob.allCases.map { .job($0) } + [.modelFiles] }

    /// In metrics and messages.
    package var name: String {
        switch self {
        case .job(let job): "\(job)"
        case .modelFiles: "model_files"
        }
    }
}
