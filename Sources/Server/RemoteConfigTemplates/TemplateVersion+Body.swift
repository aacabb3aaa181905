package import HearthCatalog
package import HearthWire

extension TemplateVersion {
    /// The template of this version, without what the version says of itself.
    package func template() throws -> RemoteConfigTemplate {
        try WireJSON.decode(RemoteConfigTemplate.self, from: body.utf8)
    }
}
