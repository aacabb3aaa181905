// The public interface of HearthWire. Written by scripts/api; do not edit.

public struct Audience : Sendable, Hashable, Codable {
    public var appVersionFrom: String?
    public var appVersionBelow: String?
    public var operatingSystems: [String]
    public var languages: [String]
    public var countries: [String]
    public var tags: [String]
    public var condition: String?
    public init()
    public init(from decoder: any Decoder) throws
    public func encode(to encoder: any Encoder) throws
    public var isEverybody: Bool { get }
}
public enum AuditBodies {
    public struct Entry : Codable, Sendable, Equatable {
        public var id: String
        public var time: String
        public var projectId: String?
        public var actor: String
        public var actorName: String?
        public var action: String
        public var subject: String
        public var subjectName: String?
        public var detail: String?
    }
}
public enum EventBodies {
    public struct Summary : Codable, Sendable {
        public struct Row : Codable, Sendable, Hashable {
            public var day: String
            public var event: String
            public var model: String?
            public var count: Int64
            public var sum: Double
        }
        public var events: [EventBodies.Summary.Row]?
    }
}
public enum ExperimentBodies {
    public struct Variant : Codable, Sendable, Hashable {
        public var name: String
        public var weight: Int?
        public var parameters: [String : String]?
        public var models: [String : Int]?
        public init(name: String, weight: Int? = nil, parameters: [String : String]? = nil, models: [String : Int]? = nil)
    }
    public struct Metric : Codable, Sendable, Hashable {
        public var event: String
        public var kind: String
        public var lowerIsBetter: Bool?
        public var model: String?
        public init(event: String, kind: String, lowerIsBetter: Bool? = nil, model: String? = nil)
    }
    public struct Guardrail : Codable, Sendable, Hashable {
        public var metric: ExperimentBodies.Metric
        public var margin: Double?
        public init(metric: ExperimentBodies.Metric, margin: Double? = nil)
    }
    public struct Definition : Codable, Sendable, Hashable {
        public var name: String
        public var note: String?
        public var variants: [ExperimentBodies.Variant]
        public var audience: String?
        public var share: Double?
        public var layer: String?
        public var goal: ExperimentBodies.Metric
        public var guardrails: [ExperimentBodies.Guardrail]?
        public var plannedExposures: Int?
        public var errorRate: Double?
        public var stopsAtWinner: Bool?
        public init(name: String, variants: [ExperimentBodies.Variant], goal: ExperimentBodies.Metric)
    }
    public struct Experiment : Codable, Sendable, Hashable {
        public var definition: ExperimentBodies.Definition
        public var state: String
        public var createTime: String
        public var createdBy: String
        public var startTime: String?
        public var endTime: String?
        public var winner: String?
        public var endReason: String?
        public var warnings: [String]?
    }
    public struct Results : Codable, Sendable, Hashable {
        public struct Row : Codable, Sendable, Hashable {
            public var variant: String
            public var count: Int
            public var value: Double
            public var credibleInterval: [Double]?
            public var difference: Double?
            public var probabilityToBeBest: Double?
            public var pValue: Double?
        }
        public struct Exposures : Codable, Sendable, Hashable {
            public var variant: String
            public var installations: Int
        }
        public struct MetricResults : Codable, Sendable, Hashable {
            public var metric: ExperimentBodies.Metric
            public var rows: [ExperimentBodies.Results.Row]
        }
        public var experiment: ExperimentBodies.Experiment
        public var exposures: [ExperimentBodies.Results.Exposures]
        public var goal: ExperimentBodies.Results.MetricResults
        public var guardrails: [ExperimentBodies.Results.MetricResults]
        public var sampleRatioPValue: Double
        public var hasSampleRatioMismatch: Bool
        public var verdict: String
        public var summary: String
        public var method: String
    }
}
public enum KeyBodies {
    public struct ServiceAccount : Codable, Sendable, Equatable {
        public var email: String
        public var role: String
        public var `operator`: Bool?
        public var createTime: String
        public var keys: [KeyBodies.AccountKey]?
        public var adminTokens: [KeyBodies.AdminToken]?
    }
    public struct AccountKey : Codable, Sendable, Equatable {
        public var id: String
        public var createTime: String
        public var endTime: String?
        public var adminTokens: [KeyBodies.AdminToken]?
    }
    public struct CreateServiceAccountRequest : Codable, Sendable {
        public var name: String
        public var role: String
        public var `operator`: Bool?
        public init(name: String, role: String, operator: Bool? = nil)
    }
    public struct UpdateServiceAccountRequest : Codable, Sendable {
        public var role: String
        public init(role: String)
    }
    public struct APIKey : Codable, Sendable, Equatable {
        public var id: String
        public var name: String
        public var appId: String
        public var bundleIds: [String]?
        public var createTime: String
        public var endTime: String?
        public var ended: Bool?
        public var key: String?
        public var unchanged: Bool?
    }
    public struct CreateAPIKeyRequest : Codable, Sendable {
        public var name: String
        public var platform: String?
        public var appId: String?
        public var bundleIds: [String]?
        public init(name: String, platform: String? = nil, appId: String? = nil, bundleIds: [String]? = nil)
    }
    public struct UpdateAPIKeyRequest : Codable, Sendable {
        public var name: String?
        public var bundleIds: [String]?
        public init(name: String? = nil, bundleIds: [String]? = nil)
    }
    public struct RotateRequest : Codable, Sendable {
        public var graceSeconds: Int64?
        public init(graceSeconds: Int64? = nil)
    }
    public struct AdminToken : Codable, Sendable, Equatable {
        public var id: String
        public var name: String
        public var role: String
        public var projectId: String?
        public var createTime: String
        public var createdBy: String
        public var endTime: String?
        public var ended: Bool?
        public var token: String?
        public var unchanged: Bool?
    }
    public struct CreateAdminTokenRequest : Codable, Sendable {
        public var name: String
        public var role: String
        public var lifetimeSeconds: Int64?
        public init(name: String, role: String, lifetimeSeconds: Int64? = nil)
    }
}
public struct ModelContract : Codable, Sendable, Equatable {
    public struct Tensor : Codable, Sendable, Equatable {
        public var name: String
        public var type: String
        public var shape: [Int]
        public var scale: Float?
        public var zeroPoint: Int64?
    }
    public struct Operator : Codable, Sendable, Equatable {
        public var name: String
        public var count: Int
    }
    public var inputs: [ModelContract.Tensor]
    public var outputs: [ModelContract.Tensor]
    public var operators: [ModelContract.Operator]
    public var signatures: [String]
    public var labelCount: Int?
    public var labelsSHA256: String?
    public var title: String?
    public var summary: String?
    public var author: String?
    public var license: String?
}
public struct ModelMeasurements : Codable, Sendable, Equatable {
    public var runs: Int
    public var medianMicroseconds: Int
    public var p90Microseconds: Int
    public var peakMemoryBytes: Int
    public var loadMicroseconds: Int
    public var engine: String
}
public struct ModelResource : Codable, Sendable, Equatable {
    public struct State : Codable, Sendable, Equatable {
        public var published: Bool?
        public var validationError: RPCStatus?
        public init(published: Bool? = nil, validationError: RPCStatus? = nil)
    }
    public struct TFLiteModel : Codable, Sendable, Equatable {
        public var gcsTfliteUri: String?
        public var sizeBytes: String?
        public init(gcsTfliteUri: String? = nil, sizeBytes: String? = nil)
    }
    public var name: String?
    public var displayName: String?
    public var tags: [String]?
    public var state: ModelResource.State?
    public var tfliteModel: ModelResource.TFLiteModel?
    public var createTime: String?
    public var updateTime: String?
    public var etag: String?
    public var modelHash: String?
    public var activeOperations: [OperationResource]?
    public var hearth: ModelResource.HearthFields?
    public struct HearthFields : Codable, Sendable, Equatable {
        public var version: Int?
        public var releasedVersion: Int?
        public var rollouts: [ReleaseBodies.Release]?
        public var warning: String?
        public var validationDetail: String?
        public var contract: ModelContract?
        public var contractCheck: String?
        public var publishWhenValidated: Int?
        public var contractChanges: [String]?
        public var alreadyPublished: Bool?
        public var fileMissing: Bool?
        public init(version: Int? = nil, releasedVersion: Int? = nil)
    }
    public init()
}
public struct OperationResource : Codable, Sendable, Equatable {
    public struct Metadata : Codable, Sendable, Equatable {
        public var type: String
        public var name: String
        public var basicOperationStatus: String
    }
    public var name: String?
    public var metadata: OperationResource.Metadata?
    public var done: Bool
    public var response: ModelResource?
    public var error: RPCStatus?
}
public enum ProjectBodies {
    public struct Resource : Codable, Sendable, Equatable {
        public var projectId: String
        public var projectNumber: String
        public var createTime: String
        public var installations: String?
        public var hearthUrl: String?
    }
    public struct CreateResponse : Codable, Sendable {
        public var project: ProjectBodies.Resource
        public var serviceAccountKey: ServiceAccountKey
        public var apiKey: KeyBodies.APIKey
    }
}
public struct RPCStatus : Codable, Sendable, Equatable {
    public var code: Int?
    public var message: String
}
public enum ReleaseBodies {
    public struct Version : Codable, Sendable, Equatable {
        public var version: Int
        public var modelHash: String
        public var sizeBytes: String
        public var source: String
        public var createTime: String
        public var createdBy: String
        public var verdict: String
        public var message: String?
        public var contract: ModelContract?
        public var figures: ModelMeasurements?
        public var figuresNote: String?
    }
    public struct Stage : Codable, Sendable, Equatable {
        public var time: String
        public var share: Double
        public init(time: String, share: Double)
    }
    public struct Release : Codable, Sendable, Equatable {
        public var release: Int
        public var version: Int
        public var kind: String
        public var state: String
        public var share: Double
        public var stages: [ReleaseBodies.Stage]?
        public var audience: Audience?
        public var createTime: String
        public var createdBy: String
        public var pauseTime: String?
        public var endTime: String?
        public var warnings: [String]?
        public var unchanged: Bool?
        public var endedReleases: [ReleaseBodies.Release]?
    }
    public struct CreateRequest : Codable, Sendable {
        public var version: Int?
        public var share: Double?
        public var stages: [ReleaseBodies.Stage]?
        public var audience: Audience?
        public var allowContractChange: Bool?
        public var allowCrashing: Bool?
        public init(version: Int? = nil, share: Double? = nil, stages: [ReleaseBodies.Stage]? = nil, audience: Audience? = nil, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil)
    }
    public struct UpdateRequest : Codable, Sendable {
        public var share: Double?
        public var stages: [ReleaseBodies.Stage]?
        public var audience: Audience?
        public var allowContractChange: Bool?
        public var allowCrashing: Bool?
        public init(share: Double? = nil, stages: [ReleaseBodies.Stage]? = nil, audience: Audience? = nil, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil)
    }
    public struct RollbackRequest : Codable, Sendable {
        public var version: Int?
        public var allowContractChange: Bool?
        public var allowCrashing: Bool?
        public init(version: Int? = nil, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil)
    }
}
public struct RemoteConfigCondition : Codable, Sendable, Hashable {
    public var name: String
    public var expression: String
    public var tagColor: String?
    public init(name: String, expression: String, tagColor: String? = nil)
}
public struct RemoteConfigExperimentValue : Codable, Sendable, Hashable {
    public struct Variant : Codable, Sendable, Hashable {
        public var variantId: String
        public var value: String?
        public var noChange: Bool?
        public init(variantId: String, value: String? = nil, noChange: Bool? = nil)
    }
    public var experimentId: String
    public var variantValue: [RemoteConfigExperimentValue.Variant]
    public var exposurePercent: Double?
    public init(experimentId: String, variantValue: [RemoteConfigExperimentValue.Variant], exposurePercent: Double? = nil)
}
public struct RemoteConfigParameter : Codable, Sendable, Hashable {
    public var defaultValue: RemoteConfigParameterValue?
    public var conditionalValues: [String : RemoteConfigParameterValue]?
    public var description: String?
    public var valueType: String?
    public init(defaultValue: RemoteConfigParameterValue? = nil, conditionalValues: [String : RemoteConfigParameterValue]? = nil, description: String? = nil, valueType: String? = nil)
}
public struct RemoteConfigParameterGroup : Codable, Sendable, Hashable {
    public var description: String?
    public var parameters: [String : RemoteConfigParameter]?
    public init(description: String? = nil, parameters: [String : RemoteConfigParameter]? = nil)
}
public enum RemoteConfigParameterValue : Sendable, Hashable {
    case text(String)
    case inAppDefault
    case rollout(RemoteConfigRollout)
    case experiment(RemoteConfigExperimentValue)
    case personalization(id: String)
}
extension RemoteConfigParameterValue : Codable {
    public init(from decoder: any Decoder) throws
    public func encode(to encoder: any Encoder) throws
}
public struct RemoteConfigRollout : Codable, Sendable, Hashable {
    public struct MicroPercentRange : Codable, Sendable, Hashable {
        public var microPercentStart: Int64?
        public var microPercentEnd: Int64?
        public init(microPercentStart: Int64? = nil, microPercentEnd: Int64? = nil)
    }
    public var rolloutId: String
    public var value: String
    public var percent: Double?
    public var microPercentRange: RemoteConfigRollout.MicroPercentRange?
    public init(rolloutId: String, value: String, percent: Double? = nil, microPercentRange: RemoteConfigRollout.MicroPercentRange? = nil)
}
public struct RemoteConfigTemplate : Codable, Sendable, Hashable {
    public var conditions: [RemoteConfigCondition]?
    public var parameters: [String : RemoteConfigParameter]?
    public var parameterGroups: [String : RemoteConfigParameterGroup]?
    public var version: RemoteConfigVersion?
    public init(conditions: [RemoteConfigCondition]? = nil, parameters: [String : RemoteConfigParameter]? = nil, parameterGroups: [String : RemoteConfigParameterGroup]? = nil, version: RemoteConfigVersion? = nil)
}
public struct RemoteConfigVersion : Codable, Sendable, Hashable {
    public struct User : Codable, Sendable, Hashable {
        public var name: String?
        public var email: String?
        public var imageUrl: String?
    }
    public var versionNumber: String?
    public var updateTime: String?
    public var updateUser: RemoteConfigVersion.User?
    public var description: String?
    public var updateOrigin: String?
    public var updateType: String?
    public var rollbackSource: String?
    public var isLegacy: Bool?
    public init(description: String? = nil)
}
public struct ServiceAccountKey : Codable, Sendable {
    public var type: String
    public var projectID: String
    public var privateKeyID: String
    public var privateKey: String
    public var clientEmail: String
    public var clientID: String
    public private(set) var tokenURI: String { get }
    public var clientSecret: String
    public private(set) var hearthURL: String { get }
}
public enum UploadBodies {
    public struct Unfinished : Codable, Sendable, Equatable {
        public var upload: String
        public var fileName: String
        public var receivedBytes: String
        public var totalBytes: String?
        public var createTime: String
        public var createdBy: String
        public var updateTime: String
        public var expireTime: String
    }
}
public struct UploadResource : Codable, Sendable {
    public var gcsTfliteUri: String
    public var sizeBytes: String
    public var sha256: String
    public var validationError: RPCStatus?
    public var warning: String?
}
