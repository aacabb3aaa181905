import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire

/// A model's own images, on which its versions are rehearsed. Only publishers may read and change them.
///
/// The server stores the bytes and never parses them.
struct RehearsalImageRoutes {
    private let context: RouteContext
    private let metadata: any MetadataStore
    private let validation: ValidationQueue
    private let limits: RehearsalLimits

    init(_ context: RouteContext, _ metadata: any MetadataStore, _ services: ManagementServices) {
        self.context = context
        self.metadata = metadata
        validation = services.validation
        limits = services.rehearsals.limits
    }

    var routes: [CallRoute] {
        [
            context.on(RehearsalCalls.listImages) { try list($0) },
            context.onResponse(RehearsalCalls.getImage) { try bytes($0) },
            context.onPrepared(RehearsalCalls.putImage, limitBytes: limits.imageBytes) { .ready(try put($0)) },
            context.onResponse(RehearsalCalls.deleteImage) { try delete($0) },
        ]
    }

    private func list(_ call: ReadCall) throws -> RehearsalBodies.ImageList {
        let target = try ModelPath(call)
        let images = try call.read { try $0.rehearsalImages(model: target.model($0).id) }
        return RehearsalBodies.ImageList(images: images.isEmpty ? nil : images.map(RehearsalPresentation.image))
    }

    private func bytes(_ call: ReadCall) throws -> Response {
        let (target, name) = (try ModelPath(call), call.path["image"])
        let image = try call.read { store in
            try Self.find(name, of: target.model(store), store)
        }
        let gone = APIError(.notFound, "The file of the image '\(OneLineText.word(name))' is gone; add it again.")
        guard let digest = SHA256Digest(hex: image.sha256) else { throw gone }
        let blob: OpenBlob
        do throws(StorageError) { blob = try context.services.blobs.open(digest) } catch {
            throw error.code == .notFound ? gone as any Error : error
        }
        var response = Response.file(
            OwnedDescriptor(takingOwnershipOf: blob.descriptor), length: blob.size, etag: "\"\(image.sha256)\"",
            for: call.head)
        response.headers["Cache-Control"] = "no-store"
        // Someone else's bytes: they show in a page's picture, and never as a page.
        response.headers["Content-Disposition"] = "attachment"
        return response
    }

    /// Adds the image, or replaces the one of that name. All of it runs in the project's queue: bytes become durable, for which the
    /// writers' queue does not wait.
    private func put(_ call: PrepareCall<RawBody>) throws -> RehearsalBodies.Image {
        let (target, name, bytes) = (try ModelPath(call), call.path["image"], call.bytes)
        let label = call.query.first("label").flatMap { $0.isEmpty ? nil : $0 }
        if let text = limits.refusal(ofName: name) { throw APIError.invalid("image", text, message: text) }
        if let label, let text = limits.refusal(ofLabel: label) { throw APIError.invalid("label", text, message: text) }
        guard !bytes.isEmpty else { throw APIError.invalid("body", "The image has no bytes.") }
        let services = context.services
        try DiskReserve(services).check(for: UInt64(bytes.count))
        // Before any bytes are written: most refusals are known now.
        _ = try call.read { try check(name, bytes.count, of: target.model($0), $0) }
        let blob = try services.blobs.begin(limitBytes: UInt64(limits.imageBytes))
        try bytes.withUnsafeBytes { try blob.write($0) }
        let checksums = try blob.seal()
        try blob.prepareCommit()
        let image = try validation.blobLock.withLock(.adding) { () throws -> RehearsalImage in
            try blob.commit()
            return try metadata.change(
                by: call.actor, in: call.project.id, atMicroseconds: context.nowMicroseconds
            ) { store, log in
                let model = try target.model(store)
                try check(name, bytes.count, of: model, store)
                let image = RehearsalImage(
                    modelID: model.id, name: name, sha256: checksums.sha256.hex, sizeBytes: UInt64(bytes.count),
                    label: label, createdMicroseconds: log.atMicroseconds, createdBy: log.actor)
                if let known = try store.rehearsalImage(name, model: model.id), known.sha256 == image.sha256,
                    known.label == label
                {
                    return known
                }
                try store.put(image)
                try log.add("image.put", "models/\(model.id)", "\(name) \(image.sha256)")
                return image
            }
        }
        return RehearsalPresentation.image(image)
    }

    /// - Throws: if the model has too many images, or too many bytes, with this one.
    private func check(_ name: String, _ count: Int, of model: Model, _ store: any MetadataReader) throws {
        let others = try store.rehearsalImages(model: model.id).filter { $0.name != name }
        guard others.count < limits.images else {
            throw CatalogError(
                .failedPrecondition,
                "The model '\(model.displayName)' has \(others.count) images, which is the most; delete some first.")
        }
        let total = others.reduce(UInt64(count)) { $0 + $1.sizeBytes }
        guard total <= limits.setBytes else {
            throw CatalogError(
                .failedPrecondition,
                "With this image, the images of '\(model.displayName)' would have \(total) bytes, and \(limits.setBytes) "
                    + "is the most; delete some first, or add smaller ones.")
        }
    }

    private func delete(_ call: ChangeCall<NoBody>) throws -> Response {
        let (target, name) = (try ModelPath(call), call.path["image"])
        try call.change { store, log in
            let model = try target.model(store)
            try store.delete(Self.find(name, of: model, store))
            try log.add("image.delete", "models/\(model.id)", name)
        }
        return .emptyObject
    }

    private static func find(_ name: String, of model: Model, _ store: any MetadataReader) throws -> RehearsalImage {
        guard let image = try store.rehearsalImage(name, model: model.id) else {
            throw APIError(
                .notFound, "The model '\(model.displayName)' has no image '\(OneLineText.word(name))'.")
        }
        return image
    }
}
