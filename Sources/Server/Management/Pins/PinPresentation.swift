import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// How pins look on the wire and in the audit log.
enum PinPresentation {
    static func pin(_ pin: Pin) -> PinBodies.Pin {
        var shown = PinBodies.Pin(
            installation: nil, tag: nil, version: nil, variant: nil, createTime: WireTime.text(pin.createdMicroseconds),
            createdBy: pin.createdBy)
        switch pin.device {
        // A client that knows the id can register as that installation.
        case .installation(let id): shown.installation = InstallationLogName(id: id).description
        case .tag(let tag): shown.tag = tag
        }
        switch pin.target {
        case .version(let number, _): shown.version = number
        case .variant(let name, _): shown.variant = name
        }
        return shown
    }

    static func device(_ device: Pin.Device) -> String {
        switch device {
        case .installation(let id): InstallationLogName(id: id).description
        case .tag(let tag): "tag \(tag)"
        }
    }
}
