/// The rules of a model's life: facts in, the new records and audit entries out. No I/O.
///
/// - A version is made from an uploaded object and never changes.
/// - Only a version whose bytes are not malformed can be released; one that is not checked yet is released when it has
///   passed.
/// - Publishing makes a full release of the newest version, also where that is being rolled out. New bytes on a published
///   model are released at once when they pass validation; when they do not, devices keep what they have.
/// - A version that crashed the engine in the server's run is released only where the caller says so; new bytes that do
///   become a version that is not released.
/// - Where the model refuses changes of its contract, new bytes with another contract become a version that is not
///   released: nothing is lost, devices keep what they have, and `Change.refusal` says why and what to do.
///
/// `ReleaseLifecycle` has the rules of rollouts, pauses and rollbacks.
public enum ModelLifecycle {
    /// A new model. `isTaken` tells whether the project has a model of that display name.
    public static func create(
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
        try apply(edit, to: &draft)
        return draft.finish()
    }

    /// A changed model. `isTaken` tells whether another model of the project has the wanted display name.
    public static func update(
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
        try apply(edit, to: &draft)
        return draft.finish()
    }

    /// The verdict on a version that was to be published has come. Nil when nothing is to be done.
    ///
    /// - Parameter known: that version, which need not be the newest.
    public static func validated(
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

    private static func taken(_ displayName: String) -> CatalogError {
        CatalogError(.alreadyExists, "Model '\(displayName)' already exists")
    }

    private static func check(displayName: String?, tags: [String]?) throws(CatalogError) {
        if let displayName, !Names.isDisplayName(displayName) {
            throw CatalogError(
                .invalidArgument, "A display name has 1 to 32 letters, digits, hyphens or underscores.")
        }
        guard (tags ?? []).allSatisfy(Names.isDisplayName), (tags ?? []).count <= 64 else {
            throw CatalogError(
                .invalidArgument, "A tag has 1 to 32 letters, digits, hyphens or underscores; at most 64 tags.")
        }
    }

    /// The file and the published flag, in that order: "take this file and publish it" is one request.
    private static func apply(_ edit: Edit, to draft: inout ModelDraft) throws(CatalogError) {
        let isNewFile = edit.upload.map { draft.isNew($0.object) } ?? false
        if let upload = edit.upload, isNewFile { draft.addVersion(of: upload.object, upload.validation) }
        switch edit.published {
        case false?:
            draft.unpublish()
        case true? where isNewFile || !(edit.restatesPublished && draft.model.isPublished):
            try publishNewest(edit, isNewFile: isNewFile, &draft)
        default:
            if edit.releasesNewFile, isNewFile || isBroughtAgain(edit, draft) { replacePublished(edit, &draft) }
        }
    }

    /// Whether the call is about the newest file although that is there already: it was to be released and was not, and
    /// the caller brings it once more rather than sending back what the server told about the model.
    private static func isBroughtAgain(_ edit: Edit, _ draft: ModelDraft) -> Bool {
        guard let object = edit.upload?.object, let newest = draft.newest?.version,
            !draft.releases.contains(where: { $0.version == newest.number })
        else { return false }
        if !edit.restatesPublished || object.createdMicroseconds > newest.createdMicroseconds { return true }
        // Of a file that is still being checked, nobody has seen the hash.
        return edit.seenSHA256.map { $0 != newest.sha256 } ?? false
    }

    /// The caller asked for it, so what stands against it is an error.
    private static func publishNewest(
        _ edit: Edit, isNewFile: Bool, _ draft: inout ModelDraft
    ) throws(CatalogError) {
        guard let newest = draft.newest,
            newest.validation.verdict.isPublishable || newest.validation.verdict == .pending
        else {
            // The update that brought a refused file to a published model is kept: devices stay where they are.
            if draft.model.isPublished, edit.upload != nil { return draft.dropWaitingVersion() }
            throw CatalogError(.failedPrecondition, "Cannot publish a model that is not verified.")
        }
        if newest.validation.verdict == .pending { return draft.publishWhenValidated(newest.version.number) }
        guard !draft.restates(draft.nextRelease(newest.version.number, .publish)) else { return }
        guard
            let refusal = draft.refusal(
                of: newest, allowContractChange: edit.allowContractChange, allowCrashing: edit.allowCrashing)
        else {
            return draft.publish(newest)
        }
        guard isNewFile else { throw refusal }
        draft.refuse(refusal)
    }

    /// A new file where devices get an older one, or will.
    private static func replacePublished(_ edit: Edit, _ draft: inout ModelDraft) {
        guard draft.model.isPublished || draft.model.publishWhenValidated != nil, let newest = draft.newest else {
            return
        }
        switch newest.validation.verdict {
        case .pending: draft.publishWhenValidated(newest.version.number)
        case .malformed: draft.dropWaitingVersion()
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
