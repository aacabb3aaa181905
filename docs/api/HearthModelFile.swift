// The public interface of HearthModelFile. Written by scripts/api; do not edit.

public struct AutoMLManifest : Sendable, Equatable {
    public static let maximumByteCount: Int
    public let modelType: String?
    public let modelFile: String
    public let labelsFile: String?
    public init(json: [UInt8]) throws(ModelFileError)
}
public struct ElementType : RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    public init(rawValue: UInt8)
    public static let float32: ElementType
    public static let float16: ElementType
    public static let int32: ElementType
    public static let uint8: ElementType
    public static let int64: ElementType
    public static let string: ElementType
    public static let bool: ElementType
    public static let int16: ElementType
    public static let complex64: ElementType
    public static let int8: ElementType
    public static let float64: ElementType
    public static let complex128: ElementType
    public static let uint64: ElementType
    public static let resource: ElementType
    public static let variant: ElementType
    public static let uint32: ElementType
    public static let uint16: ElementType
    public static let int4: ElementType
    public static let bfloat16: ElementType
    public static let int2: ElementType
    public static let uint4: ElementType
    public static let float8E4M3FN: ElementType
    public static let float8E5M2: ElementType
    public var isKnown: Bool { get }
    public var bitWidth: Int { get }
    public var description: String { get }
}
public struct LabelMap : Sendable, Equatable {
    public static let maximumByteCount: Int
    public let classNames: [String]
    public let displayNames: [String]?
    public var count: Int { get }
    public init(file: [UInt8], displayFile: [UInt8]? = nil) throws(ModelFileError)
    public func className(_ index: Int) -> String?
    public func displayName(_ index: Int) -> String?
}
public struct ModelBundle : Sendable {
    public enum Kind : String, Sendable {
        case folder
        case zip
        case packedModel
        case model
    }
    public let kind: ModelBundle.Kind
    public let model: ModelFile
    public let metadata: ModelMetadata?
    public let manifest: AutoMLManifest?
    public let manifestPath: String?
    public let labels: LabelMap?
    public let ambiguousLabelFiles: [String]
    public let exportMetadata: [UInt8]?
    public init(path: String, labelsPath: String? = nil, locale: String = "en") throws(ModelFileError)
    public func metadataLabels(ofOutput index: Int) throws(ModelFileError) -> LabelMap?
}
extension ModelBundle {
    public func packed() throws(ModelFileError) -> [UInt8]
}
final public class ModelBytes : Sendable {
    public static let alignment: Int
    public static let largestModel: Int
    public let count: Int
    public var baseAddress: UnsafeRawPointer { get }
    public convenience init(contentsOfFile path: String, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError)
    public convenience init(descriptor: Int32, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError)
    public init(mappingImmutableFile path: String, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError)
    public init(copying bytes: some Collection<UInt8>) throws(ModelFileError)
    deinit
    public func withUnsafeBytes<Result, Failure>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result where Failure : Error
}
public struct ModelFile : Sendable {
    public let bytes: ModelBytes
    public let graph: ModelGraph
    public init(_ bytes: ModelBytes) throws(ModelFileError)
    public init(contentsOfFile path: String, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError)
    public init(mappingImmutableFile path: String, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError)
    public var signatures: [ModelGraph.Signature] { get }
    public func checkForLoading(limits: ModelLimits = ModelLimits()) throws(ModelFileError)
}
public struct ModelFileError : LocalizedError, Sendable, Equatable, CustomStringConvertible {
    public struct Code : RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String)
        public static let notFound: ModelFileError.Code
        public static let unreadable: ModelFileError.Code
        public static let empty: ModelFileError.Code
        public static let tooLarge: ModelFileError.Code
        public static let notAModel: ModelFileError.Code
        public static let malformed: ModelFileError.Code
        public static let unsupported: ModelFileError.Code
        public static let invalidRewrite: ModelFileError.Code
        public static let invalidBundle: ModelFileError.Code
        public static let labelsMissing: ModelFileError.Code
        public static let labelsMismatch: ModelFileError.Code
        public static let invalidCalibration: ModelFileError.Code
    }
    public let code: ModelFileError.Code
    public let message: String
    public let cause: (any Error)?
    public init(_ code: ModelFileError.Code, _ message: String, cause: (any Error)? = nil)
    public static func == (left: ModelFileError, right: ModelFileError) -> Bool
    public var description: String { get }
    public var errorDescription: String? { get }
}
public struct ModelGraph : Sendable, Equatable {
    public var subgraphs: [ModelGraph.Subgraph]
    public var signatures: [ModelGraph.Signature]
    public var metadata: [ModelGraph.MetadataEntry]
    public struct Subgraph : Sendable, Equatable {
        public var name: String?
        public var tensors: [ModelGraph.Tensor]
        public var inputs: [Int]
        public var outputs: [Int]
        public var operators: [ModelGraph.Operator]
    }
    public struct Tensor : Sendable, Equatable {
        public var name: String?
        public var shape: [Int]
        public var shapeSignature: [Int]?
        public var type: ElementType
        public var buffer: Int
        public var data: Range<Int>?
        public var quantization: ModelGraph.Quantization?
        public var isVariable: Bool
        public var externalBuffer: Int
    }
    public struct Quantization : Sendable, Equatable {
        public var scales: [Float]
        public var zeroPoints: [Int64]
        public var dimension: Int
        public var detailsKind: Int
    }
    public struct Operator : Sendable, Equatable {
        public var codeIndex: Int
        public var builtinCode: Int
        public var name: String
        public var version: Int
        public var inputs: [Int]
        public var outputs: [Int]
        public var intermediates: [Int]
        public var mutatesInputs: Bool
        public var calledSubgraphs: [Int]
        public var customOptions: Range<Int>?
    }
    public struct Signature : Sendable, Equatable {
        public var key: String
        public var subgraph: Int
        public var inputs: [ModelGraph.NamedTensor]
        public var outputs: [ModelGraph.NamedTensor]
        public init(key: String, subgraph: Int, inputs: [ModelGraph.NamedTensor], outputs: [ModelGraph.NamedTensor])
    }
    public struct NamedTensor : Sendable, Equatable {
        public var name: String
        public var tensor: Int
        public init(name: String, tensor: Int)
    }
    public struct MetadataEntry : Sendable, Equatable {
        public var name: String
        public var data: Range<Int>?
    }
}
extension ModelGraph.Subgraph {
    public var inputTensors: [ModelGraph.Tensor] { get }
    public var outputTensors: [ModelGraph.Tensor] { get }
    public var constantByteCount: Int { get }
}
public struct ModelLimits : Sendable, Equatable {
    public var totalTensorBytes: Int
    public var controlFlowDepth: Int
    public var controlFlowCalls: Int
    public init()
}
public struct ModelMetadata : Sendable, Equatable {
    public var name: String?
    public var description: String?
    public var version: String?
    public var author: String?
    public var license: String?
    public var minimumParserVersion: String?
    public var subgraphs: [ModelMetadata.Subgraph]
    public var associatedFiles: [ModelMetadata.AssociatedFile]
    public struct Subgraph : Sendable, Equatable {
        public var name: String?
        public var description: String?
        public var inputs: [ModelMetadata.Tensor]
        public var outputs: [ModelMetadata.Tensor]
        public var associatedFiles: [ModelMetadata.AssociatedFile]
        public var inputProcessUnits: [ModelMetadata.ProcessUnit]
        public var outputProcessUnits: [ModelMetadata.ProcessUnit]
        public var inputGroups: [ModelMetadata.TensorGroup]
        public var outputGroups: [ModelMetadata.TensorGroup]
    }
    public struct Tensor : Sendable, Equatable {
        public var name: String?
        public var description: String?
        public var dimensionNames: [String]
        public var content: ModelMetadata.Content?
        public var processUnits: [ModelMetadata.ProcessUnit]
        public var stats: ModelMetadata.Stats?
        public var associatedFiles: [ModelMetadata.AssociatedFile]
    }
    public struct TensorGroup : Sendable, Equatable {
        public var name: String?
        public var tensorNames: [String]
    }
    public struct Stats : Sendable, Equatable {
        public var maximum: [Float]
        public var minimum: [Float]
    }
    public struct AssociatedFile : Sendable, Equatable {
        public var name: String?
        public var description: String?
        public var kind: ModelMetadata.AssociatedFile.Kind
        public var locale: String?
        public var version: String?
        public struct Kind : RawRepresentable, Hashable, Sendable {
            public let rawValue: Int8
            public init(rawValue: Int8)
            public static let unknown: ModelMetadata.AssociatedFile.Kind
            public static let descriptions: ModelMetadata.AssociatedFile.Kind
            public static let axisLabels: ModelMetadata.AssociatedFile.Kind
            public static let valueLabels: ModelMetadata.AssociatedFile.Kind
            public static let axisScoreCalibration: ModelMetadata.AssociatedFile.Kind
            public static let vocabulary: ModelMetadata.AssociatedFile.Kind
            public static let scannIndex: ModelMetadata.AssociatedFile.Kind
        }
    }
}
extension ModelMetadata {
    public struct Content : Sendable, Equatable {
        public var properties: ModelMetadata.Properties
        public var range: ModelMetadata.ValueRange?
    }
    public enum Properties : Sendable, Equatable {
        case none
        case feature
        case image(ModelMetadata.ImageProperties)
        case boundingBox(ModelMetadata.BoundingBoxProperties)
        case audio
        case other(Int)
    }
    public struct ValueRange : Sendable, Equatable {
        public var minimum: Int
        public var maximum: Int
    }
    public struct ImageProperties : Sendable, Equatable {
        public var colorSpace: ModelMetadata.ImageProperties.ColorSpace
        public var defaultWidth: Int?
        public var defaultHeight: Int?
        public struct ColorSpace : RawRepresentable, Hashable, Sendable {
            public let rawValue: Int8
            public init(rawValue: Int8)
            public static let unknown: ModelMetadata.ImageProperties.ColorSpace
            public static let rgb: ModelMetadata.ImageProperties.ColorSpace
            public static let grayscale: ModelMetadata.ImageProperties.ColorSpace
        }
    }
    public struct BoundingBoxProperties : Sendable, Equatable {
        public var index: [Int]
        public var form: ModelMetadata.BoundingBoxProperties.Form
        public var coordinates: ModelMetadata.BoundingBoxProperties.Coordinates
        public struct Form : RawRepresentable, Hashable, Sendable {
            public let rawValue: Int8
            public init(rawValue: Int8)
            public static let unknown: ModelMetadata.BoundingBoxProperties.Form
            public static let boundaries: ModelMetadata.BoundingBoxProperties.Form
            public static let upperLeft: ModelMetadata.BoundingBoxProperties.Form
            public static let center: ModelMetadata.BoundingBoxProperties.Form
        }
        public struct Coordinates : RawRepresentable, Hashable, Sendable {
            public let rawValue: Int8
            public init(rawValue: Int8)
            public static let ratio: ModelMetadata.BoundingBoxProperties.Coordinates
            public static let pixel: ModelMetadata.BoundingBoxProperties.Coordinates
        }
    }
    public enum ProcessUnit : Sendable, Equatable {
        case normalization(mean: [Float], standardDeviation: [Float])
        case scoreCalibration(transformation: ModelMetadata.ScoreTransformation, defaultScore: Float)
        case scoreThresholding(Float)
        case other(Int)
    }
    public struct ScoreTransformation : RawRepresentable, Hashable, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8)
        public static let identity: ModelMetadata.ScoreTransformation
        public static let log: ModelMetadata.ScoreTransformation
        public static let inverseLogistic: ModelMetadata.ScoreTransformation
    }
}
extension ModelMetadata {
    public init?(of model: ModelFile) throws(ModelFileError)
}
