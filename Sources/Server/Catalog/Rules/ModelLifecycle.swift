package import HearthWire

/// The rules of a model's life. They take facts, and return new records and audit entries. No I/O.
///
/// - A version is created from an uploaded object and never changes.
/// - Only a version whose bytes are not malformed can be released. A version without a verdict is released when it has
///   passed its validation.
/// - Publishing makes a full release of the newest version, even if that is being rolled out. New bytes on a published
///   model are released as soon as they pass validation; if they do not pass, devices keep what they have.
/// - A version that crashed the engine in the server's run is released only if the caller allows it. New bytes that
///   crash become a version that is not released.
/// - If the model refuses changes of its contract, new bytes with another contract become a version that is not
///   released: nothing is lost, devices keep what they have, and `Change.refusal` says why and what to do.
///
/// - If the model requires a rehearsal and refuses to go without, the same holds for new bytes whose rehearsal is
///   missing or not good enough.
///
/// `ReleaseLifecycle` has the rules of rollouts, pauses and rollbacks.
package enum ModelLifecycle {
    /// A new model. `isTaken`: whether the project already has a model of that display name.
    package static func create(
        id: Int64, projectID: String, edit: Edit, isTaken: Bool, context: Context
    ) throws(CatalogError) -> Change {
        guard let displayName = edit.displayName else {
            throw CatalogError(.invalidArgument, "A display name is required.")
        }
        try check(displayName: displayName, tags: edit.tags)
        guard !isTaken else { throw taken(displayName) }
        let model = Model(
            id: id, projectID: projectID, displayName: displayName, tags: edit.tags ?? [],
            contractCheck: edit.contractCheck ?? .warn, createdMicroseconds: context.nowMicroseconds,
            updatedMicroseconds: context.nowMicroseconds)
        var draft = ModelDraft(State(model: model, newest: nil, lastReleased: nil, releases: []), context)
        draft.record("model.create", displayName)
        try applyRehearsal(edit, to: &draft)
        try apply(edit, to: &draft)
        return draft.finish()
    }

    /// A changed model. `isTaken`: whether another model of the project already has the new display name.
    package static func update(
        _ state: State, edit: Edit, isTaken: Bool, context: Context
    ) throws(CatalogError) -> Change {
        try check(displayName: edit.displayName, tags: edit.tags)
        var draft = ModelDraft(state, context)
        if let displayName = edit.displayName, displayName != state.model.displayName {
            guard !isTaken else { throw taken(displayName) }
            draft.model.displayName = displayName
            draft.record("model.rename", "\(state.model.displayName) -> \(displayName)")
        }
        if let tags = edit.tags, tags != state.model.tags {
            draft.model.tags = tags
            draft.record("model.tag", tags.joined(separator: ","))
        }
        if let check = edit.contractCheck, check != state.model.contractCheck {
            draft.model.contractCheck = check
            draft.record("model.contractCheck", "\(state.model.contractCheck.rawValue) -> \(check.rawValue)")
        }
        try applyRehearsal(edit, to: &draft)
        try apply(edit, to: &draft)
        return draft.finish()
    }

    /// Handles the verdict on a version that was to be published. Nil if there is nothing to do.
    ///
    /// - Parameter known: that version, which may be older than the newest.
    package static func validated(
        _ known: KnownVersion, in state: State, context: Context
    ) -> Change? {
        let waiting = known.version.number
        guard state.model.publishWhenValidated == waiting, known.validation.verdict != .pending else { return nil }
        var draft = ModelDraft(state, context)
        draft.model.publishWhenValidated = nil
        if !known.validation.verdict.isPublishable {
            draft.record("model.publish.refused", "version \(waiting) is malformed")
        } else if let refusal = draft.refusal(of: known, allowContractChange: false, allowCrashing: false) {
            draft.refusal = refusal
            draft.record("model.publish.refused", refusal.message)
        } else {
            draft.publish(known)
        }
        return draft.finish()
    }

    /// An empty gate removes the requirements.
    private static func applyRehearsal(_ edit: Edit, to draft: inout ModelDraft) throws(CatalogError) {
        if let text = edit.rehearsalGate {
            let gate = text.isEmpty ? nil : try RehearsalGate(text).text
            if gate != draft.model.rehearsalGate {
                draft.record("model.rehearsalGate", "\(draft.model.rehearsalGate ?? "none") -> \(gate ?? "none")")
                draft.model.rehearsalGate = gate
            }
        }
        if let check = edit.rehearsalCheck, check != draft.model.rehearsalCheck {
            draft.record("model.rehearsalCheck", "\(draft.model.rehearsalCheck.rawValue) -> \(check.rawValue)")
            draft.model.rehearsalCheck = check
        }
    }

    private static func taken(_ displayName: String) -> CatalogError {
        CatalogError(.alreadyExists, "Model '\(displayName)' already exists")
    }

    private static func check(displayName: String?, tags: [String]?) throws(CatalogError) {
        if let displayName, !WireNames.isDisplayName(displayName) {
            throw CatalogError(
                .invalidArgument, "A display name must have 1 to 32 letters, digits, hyphens or underscores.")
        }
        guard (tags ?? []).allSatisfy(WireNames.isDisplayName), (tags ?? []).count <= 64 else {
            throw CatalogError(
                .invalidArgument,
                "A tag must have 1 to 32 letters, digits, hyphens or underscores, and a model may have at most 64 tags."
            )
        }
    }

    /// Applies the file, then the published flag: "take this file and publish it" is one request.
    private static func apply(_ edit: Edit, to draft: inout ModelDraft) throws(CatalogError) {
        let isNewFile = edit.upload.map { draft.isNew($0.object) } ?? false
        if let upload = edit.upload, isNewFile { draft.addVersion(of: upload.object, upload.validation) }
        switch edit.published {
        case false?:
            draft.unpublish()
        case true? where isNewFile || !(edit.sendsWholeModel && draft.model.isPublished):
            try publishNewest(edit, isNewFile: isNewFile, &draft)
        default:
            if edit.publishesNewFile, isNewFile || isReupload(edit, draft) { replacePublished(edit, &draft) }
        }
    }

    /// Whether the call uploads the newest file again, after its planned release did not happen. A call that only
    /// sends back what the server returned about the model does not count.
    private static func isReupload(_ edit: Edit, _ draft: ModelDraft) -> Bool {
        guard let object = edit.upload?.object, let newest = draft.newest?.version,
            !draft.releases.contains(where: { $0.version == newest.number })
        else { return false }
        if !edit.sendsWholeModel || object.createdMicroseconds > newest.createdMicroseconds { return true }
        // While a file is being validated, callers do not get its hash.
        return edit.seenSHA256.map { $0 != newest.sha256 } ?? false
    }

    /// The caller asked for the release, so an obstacle is an error.
    private static func publishNewest(
        _ edit: Edit, isNewFile: Bool, _ draft: inout ModelDraft
    ) throws(CatalogError) {
        guard let newest = draft.newest,
            newest.validation.verdict.isPublishable || newest.validation.verdict == .pending
        else {
            // An update that brought an invalid file to a published model stays: devices keep what they have.
            if draft.model.isPublished, edit.upload != nil { return draft.cancelPendingPublish() }
            throw CatalogError(.failedPrecondition, "Cannot publish a model that is not verified.")
        }
        if newest.validation.verdict == .pending { return draft.publishWhenValidated(newest.version.number) }
        guard !draft.isAlreadyInEffect(draft.nextRelease(newest.version.number, .publish)) else { return }
        guard
            let refusal = draft.refusal(
                of: newest, allowContractChange: edit.allowContractChange, allowCrashing: edit.allowCrashing)
        else {
            return draft.publish(newest)
        }
        guard isNewFile else { throw refusal }
        draft.refuse(refusal)
    }

    /// Handles a new file for a model that is published or waits for it.
    private static func replacePublished(_ edit: Edit, _ draft: inout ModelDraft) {
        guard draft.model.isPublished || draft.model.publishWhenValidated != nil, let newest = draft.newest else {
            return
        }
        switch newest.validation.verdict {
        case .pending: draft.publishWhenValidated(newest.version.number)
        case .malformed: draft.cancelPendingPublish()
        case .ok, .unsupported:
            if let refusal = draft.refusal(
                of: newest, allowContractChange: edit.allowContractChange, allowCrashing: edit.allowCrashing)
            {
                draft.refuse(refusal)
            } else {
                draft.publish(newest)
            }
        }
    }
}

/// What the rules take, and what they return.
extension ModelLifecycle {
    /// The actor and the time of a call.
    package struct Context: Sendable {
        package var actor: String
        package var nowMicroseconds: Int64

        package init(actor: String, nowMicroseconds: Int64) {
            self.actor = actor
            self.nowMicroseconds = nowMicroseconds
        }
    }

    /// A version and what is known about its bytes.
    package struct KnownVersion: Sendable, Hashable {
        package var version: ModelVersion
        package var validation: Validation

        package init(version: ModelVersion, validation: Validation) {
            self.version = version
            self.validation = validation
        }

        /// The contract that the probe found; nil if there is none.
        package var contract: ModelContract? {
            validation.contractJSON.flatMap { try? WireJSON.decode(ModelContract.self, from: $0.utf8) }
        }
    }

    /// A model before a change.
    package struct State: Sendable {
        package var model: Model
        package var newest: KnownVersion?
        /// The version of `ReleaseLifecycle.lastReleasedVersion`. Contracts are compared with it.
        package var lastReleased: KnownVersion?
        /// All releases, newest first, including ended ones.
        package var releases: [Release]
        /// Nil for a model that requires no rehearsal.
        package var rehearsals: RehearsalRule.Facts?

        package init(
            model: Model, newest: KnownVersion?, lastReleased: KnownVersion?, releases: [Release],
            rehearsals: RehearsalRule.Facts? = nil
        ) {
            self.rehearsals = rehearsals
            self.model = model
            self.newest = newest
            self.lastReleased = lastReleased
            self.releases = releases
        }
    }

    /// What one transaction must write.
    package struct Change: Sendable {
        package var model: Model
        /// A version to insert.
        package var newVersion: ModelVersion?
        /// Releases to insert, and those to update.
        package var newReleases: [Release] = []
        package var changedReleases: [Release] = []
        /// The existing release that already is what the call asked for.
        package var existingRelease: Int?
        /// Whether the call changed nothing. The change may still contain effects of a schedule.
        package var isUnchanged = false
        /// Warnings for the caller, one line each.
        package var warnings: [String] = []
        /// Why the new file is not released although the call asked for it. All else must still be written: the version
        /// exists, devices keep what they have, and the caller gets this error.
        package var refusal: CatalogError?
        package var audit: [AuditEntry] = []

        init(model: Model) { self.model = model }
    }

    /// The changes that a caller wants; nil leaves a field unchanged.
    package struct Edit: Sendable {
        package var displayName: String?
        package var tags: [String]?
        /// True releases the newest version to all devices, which ends a rollout of it; false ends all releases.
        package var published: Bool?
        /// The new file, if the caller named one, and what is known about its bytes.
        package var upload: (object: UploadedObject, validation: Validation)?
        package var contractCheck: Model.ContractCheck?
        /// The new requirements on rehearsals, in the form of `RehearsalGate`; empty for none.
        package var rehearsalGate: String?
        package var rehearsalCheck: Model.RehearsalCheck?
        /// Releases a version whose contract differs although the model refuses that. It counts for this call only: if
        /// the version still waits for its verdict, the model's rule applies again when the verdict comes.
        package var allowContractChange: Bool
        /// Releases a version that crashed the engine in the server's run. It counts for this call only.
        package var allowCrashing: Bool
        /// Whether a new file on a published model is released at once, as callers of the management API expect.
        /// Otherwise it only becomes a version.
        package var publishesNewFile: Bool
        /// Whether the call sends the whole model back (a PATCH without a mask). Then `published: true` on a published
        /// model changes nothing: it neither undoes a rollback nor ends a rollout.
        package var sendsWholeModel: Bool
        /// The hash in a model that is sent back, which is that of the newest version its sender has seen.
        package var seenSHA256: String?

        package init(
            displayName: String? = nil, tags: [String]? = nil, published: Bool? = nil,
            upload: (object: UploadedObject, validation: Validation)? = nil,
            contractCheck: Model.ContractCheck? = nil, rehearsalGate: String? = nil,
            rehearsalCheck: Model.RehearsalCheck? = nil, allowContractChange: Bool = false,
            allowCrashing: Bool = false, publishesNewFile: Bool = true, sendsWholeModel: Bool = false,
            seenSHA256: String? = nil
        ) {
            self.displayName = displayName
            self.tags = tags
            self.published = published
            self.upload = upload
            self.contractCheck = contractCheck
            self.rehearsalGate = rehearsalGate
            self.rehearsalCheck = rehearsalCheck
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
            self.publishesNewFile = publishesNewFile
            self.sendsWholeModel = sendsWholeModel
            self.seenSHA256 = seenSHA256
        }
    }
}
