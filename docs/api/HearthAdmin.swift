// The public interface of HearthAdmin. Written by scripts/api; do not edit.

@_exported import HearthWire
final public class AdminClient : Sendable {
    public let url: String
    public convenience init(_ credentials: AdminCredentials, project: String? = nil, network: AdminNetwork = AdminNetwork(), onNotice: @escaping @Sendable (AdminNotice) -> Void = { _ in })
    public func project() throws(AdminError) -> String
}
extension AdminClient {
    public func experiments() throws(AdminError) -> [HearthWire.ExperimentBodies.Experiment]
    public func experiment(_ name: String) throws(AdminError) -> HearthWire.ExperimentBodies.Experiment
    public func createExperiment(_ definition: HearthWire.ExperimentBodies.Definition) throws(AdminError) -> HearthWire.ExperimentBodies.Experiment
    public func createExperiment(json: [UInt8]) throws(AdminError) -> HearthWire.ExperimentBodies.Experiment
    public func replaceExperiment(_ name: String, _ definition: HearthWire.ExperimentBodies.Definition) throws(AdminError) -> HearthWire.ExperimentBodies.Experiment
    public func replaceExperiment(_ name: String, json: [UInt8]) throws(AdminError) -> HearthWire.ExperimentBodies.Experiment
    public func startExperiment(_ name: String, allowContractChange: Bool = false, allowCrashing: Bool = false) throws(AdminError) -> HearthWire.ExperimentBodies.Experiment
    public func stopExperiment(_ name: String, winner: String?) throws(AdminError) -> HearthWire.ExperimentBodies.Experiment
    public func rollOutExperiment(_ name: String, variant: String, allowContractChange: Bool = false, allowCrashing: Bool = false) throws(AdminError) -> HearthWire.ExperimentBodies.Experiment
    public func deleteExperiment(_ name: String) throws(AdminError)
    public func experimentResults(_ name: String) throws(AdminError) -> HearthWire.ExperimentBodies.Results
    public func experimentData(_ name: String, onPiece: ([UInt8]) -> Void) throws(AdminError)
    public func eventSummary() throws(AdminError) -> [HearthWire.EventBodies.Summary.Row]
}
extension AdminClient {
    public func serviceAccounts() throws(AdminError) -> [HearthWire.KeyBodies.ServiceAccount]
    public func createServiceAccount(_ body: HearthWire.KeyBodies.CreateServiceAccountRequest) throws(AdminError) -> HearthWire.ServiceAccountKey
    public func updateServiceAccount(_ account: String, _ body: HearthWire.KeyBodies.UpdateServiceAccountRequest) throws(AdminError) -> HearthWire.KeyBodies.ServiceAccount
    public func addKey(to account: String) throws(AdminError) -> HearthWire.ServiceAccountKey
    public func revokeKey(_ id: String, of account: String, revokesTokens: Bool) throws(AdminError) -> [HearthWire.KeyBodies.AdminToken]
    public func revokeServiceAccount(_ account: String, revokesTokens: Bool) throws(AdminError) -> [HearthWire.KeyBodies.AdminToken]
    public func apiKeys() throws(AdminError) -> [HearthWire.KeyBodies.APIKey]
    public func createAPIKey(_ body: HearthWire.KeyBodies.CreateAPIKeyRequest) throws(AdminError) -> HearthWire.KeyBodies.APIKey
    public func apiKey(_ id: String) throws(AdminError) -> HearthWire.KeyBodies.APIKey?
    public func lookUpAPIKey(_ key: String) throws(AdminError) -> HearthWire.KeyBodies.APIKey
    public func updateAPIKey(_ id: String, _ body: HearthWire.KeyBodies.UpdateAPIKeyRequest) throws(AdminError) -> HearthWire.KeyBodies.APIKey
    public func rotateAPIKey(_ id: String, _ body: HearthWire.KeyBodies.RotateRequest) throws(AdminError) -> HearthWire.KeyBodies.APIKey
    public func revokeAPIKey(_ id: String) throws(AdminError) -> HearthWire.KeyBodies.APIKey
    public func adminTokens(ofServer: Bool) throws(AdminError) -> [HearthWire.KeyBodies.AdminToken]
    public func createAdminToken(_ body: HearthWire.KeyBodies.CreateAdminTokenRequest, ofServer: Bool) throws(AdminError) -> HearthWire.KeyBodies.AdminToken
    public func revokeAdminToken(_ id: String, ofServer: Bool) throws(AdminError) -> HearthWire.KeyBodies.AdminToken
}
extension AdminClient {
    public func findModel(_ displayName: String) throws(AdminError) -> HearthWire.ModelResource?
    public func model(_ name: String) throws(AdminError) -> HearthWire.ModelResource
    public func models(filter: String? = nil, limit: Int? = nil) throws(AdminError) -> [HearthWire.ModelResource]
    public func createModel(_ model: HearthWire.ModelResource) throws(AdminError) -> HearthWire.ModelResource
    public func updateModel(_ name: String, _ model: HearthWire.ModelResource, mask: String) throws(AdminError) -> HearthWire.ModelResource
    public func deleteModel(_ name: String) throws(AdminError)
}
extension AdminClient {
    public func projects() throws(AdminError) -> [HearthWire.ProjectBodies.Resource]
    public func project(_ id: String) throws(AdminError) -> HearthWire.ProjectBodies.Resource
    public func createProject(_ id: String) throws(AdminError) -> HearthWire.ProjectBodies.CreateResponse
    public func deleteProject(_ id: String) throws(AdminError)
    public struct AuditFilter : Hashable, Sendable {
        public var actor: String?
        public var action: String?
        public var model: String?
        public var startTime: String?
        public var endTime: String?
        public init(actor: String? = nil, action: String? = nil, model: String? = nil, startTime: String? = nil, endTime: String? = nil)
    }
    public func auditEntries(ofProject project: String?, filter: AdminClient.AuditFilter = AuditFilter(), limit: Int) throws(AdminError) -> [HearthWire.AuditBodies.Entry]
}
extension AdminClient {
    public func versions(of model: String) throws(AdminError) -> [HearthWire.ReleaseBodies.Version]
    public func version(_ number: Int, of model: String) throws(AdminError) -> HearthWire.ReleaseBodies.Version
    public func createVersion(of model: String, source: String) throws(AdminError) -> HearthWire.ReleaseBodies.Version
    public func releases(of model: String) throws(AdminError) -> [HearthWire.ReleaseBodies.Release]
    public func release(_ number: Int, of model: String) throws(AdminError) -> HearthWire.ReleaseBodies.Release
    public func createRelease(of model: String, _ body: HearthWire.ReleaseBodies.CreateRequest) throws(AdminError) -> HearthWire.ReleaseBodies.Release
    public func updateRelease(_ number: Int, of model: String, _ body: HearthWire.ReleaseBodies.UpdateRequest) throws(AdminError) -> HearthWire.ReleaseBodies.Release
    public enum ReleaseAction : String, Sendable {
        case pause
        case resume
        case stop
    }
    public func changeRelease(_ number: Int, of model: String, _ action: AdminClient.ReleaseAction) throws(AdminError) -> HearthWire.ReleaseBodies.Release
    public func rollBack(_ model: String, _ body: HearthWire.ReleaseBodies.RollbackRequest) throws(AdminError) -> HearthWire.ReleaseBodies.Release
}
extension AdminClient {
    public func template(_ namespace: RemoteConfigNamespace, version: Int64? = nil) throws(AdminError) -> FetchedTemplate
    public func putTemplate(_ template: HearthWire.RemoteConfigTemplate, _ namespace: RemoteConfigNamespace, ifMatch: String, validateOnly: Bool = false) throws(AdminError) -> FetchedTemplate
    public func rollBackTemplate(_ namespace: RemoteConfigNamespace, to version: Int64) throws(AdminError) -> FetchedTemplate
    public func templateVersions(_ namespace: RemoteConfigNamespace, limit: Int) throws(AdminError) -> [HearthWire.RemoteConfigVersion]
    public func templateDefaults(_ namespace: RemoteConfigNamespace, format: String) throws(AdminError) -> [UInt8]
}
extension AdminClient {
    public func unfinishedUploads() throws(AdminError) -> [HearthWire.UploadBodies.Unfinished]
    public func cancelUpload(_ upload: String) throws(AdminError) -> HearthWire.UploadBodies.Unfinished
}
public enum AdminCredentials : Sendable {
    case serviceAccount(HearthWire.ServiceAccountKey)
    case token(String, url: String)
    public init(serviceAccountFile path: String, url: String? = nil) throws(AdminError)
    public var url: String { get }
}
public struct AdminError : LocalizedError, CustomStringConvertible, Sendable {
    public struct Code : RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String)
        public static let refused: AdminError.Code
        public static let connectionFailed: AdminError.Code
        public static let malformedResponse: AdminError.Code
        public static let noCredentials: AdminError.Code
        public static let invalidCredentials: AdminError.Code
        public static let noProject: AdminError.Code
        public static let severalProjects: AdminError.Code
        public static let invalidRequest: AdminError.Code
        public static let invalidFile: AdminError.Code
        public static let incompleteUpload: AdminError.Code
        public static let invalidModel: AdminError.Code
        public static let operationFailed: AdminError.Code
        public static let stillChecking: AdminError.Code
        public static let superseded: AdminError.Code
    }
    public struct IncompleteUpload : Hashable, Sendable {
        public let receivedBytes: UInt64
        public let totalBytes: UInt64
    }
    public let code: AdminError.Code
    public let message: String
    public let status: Int?
    public let serverCode: String?
    public let incompleteUpload: AdminError.IncompleteUpload?
    public let underlyingError: (any Error)?
    public var description: String { get }
    public var errorDescription: String? { get }
}
public struct AdminNetwork : Sendable, Hashable {
    public enum Proxy : Sendable, Hashable {
        case environment
        case none
        case url(String)
    }
    public var caFile: String?
    public var proxy: AdminNetwork.Proxy
    public init(caFile: String? = nil, proxy: AdminNetwork.Proxy = .environment)
}
public enum AdminNotice : Sendable {
    case checking
    case noUnfinishedUpload
    case uploadForgotten
    case uploadResumed(receivedBytes: UInt64, totalBytes: UInt64)
    case uploadRetried(AdminError)
    case uploadNotRecorded(any Error)
}
public struct FetchedTemplate : Sendable {
    public let template: HearthWire.RemoteConfigTemplate
    public let etag: String
    public let version: Int64
    public func etag(ofVersion version: Int64) -> String
}
public struct FileUploader : Sendable {
    public typealias Progress = @Sendable (_ receivedBytes: UInt64, _ totalBytes: UInt64?) -> Void
    public let client: AdminClient
    public var recordFolder: String?
    public var resumes: Bool
    public var progress: FileUploader.Progress
    public init(client: AdminClient, recordFolder: String? = FileUploader.standardRecordFolder, resumes: Bool = false, progress: @escaping FileUploader.Progress = { _, _ in })
    public static var standardRecordFolder: String? { get }
    public func upload(_ path: String, name: String) throws(AdminError) -> HearthWire.UploadResource
}
public struct ModelPush : Sendable {
    public enum Target : Hashable, Sendable {
        case none
        case all
        case release(share: Double, allowsContractChange: Bool = false, allowsCrashing: Bool = false)
    }
    public struct Outcome : Sendable {
        public var model: HearthWire.ModelResource
        public var isNewVersion: Bool
        public var isUnchangedForDevices: Bool
        public var release: HearthWire.ReleaseBodies.Release?
        public var contractChanges: [String] { get }
        public var problem: String? { get }
    }
    public let client: AdminClient
    public init(client: AdminClient)
    public func push(_ displayName: String, upload: HearthWire.UploadResource, to target: ModelPush.Target, tags: [String] = []) throws(AdminError) -> ModelPush.Outcome
    public func releaseExisting(_ known: HearthWire.ModelResource, to target: ModelPush.Target, tags: [String] = []) throws(AdminError) -> ModelPush.Outcome
}
public enum RemoteConfigNamespace : String, CaseIterable, Sendable {
    case client
    case server
}
