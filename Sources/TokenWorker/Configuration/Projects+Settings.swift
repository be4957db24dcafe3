// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Projects {
    /// Reads the projects: one by flags or environment, or those of the file.
    ///
    /// - Throws: ``ConfigurationError`` when there is none, or when one is incomplete, malformed or given twice.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        let single = try ProjectValues(sources)
        guard !sources.file.projects.isEmpty else {
            let project = try single.project()
            self.init([project], standard: project)
            return
        }
        if let origin = single.anyOrigin {
            throw ConfigurationError(origin, "is set beside the file's projects; use one of the two")
        }
        var all: [Project] = []
        var standard: Project?
        for (index, entry) in sources.file.projects.enumerated() {
            let project = try ProjectValues(entry, name: "projects[\(index)]").project()
            guard !all.contains(where: { $0.name == project.name }) else {
                throw ConfigurationError("projects[\(index)].appId", "\(project.name) is already configured")
            }
            all.append(project)
            if entry.isDefault {
                guard standard == nil else {
                    throw ConfigurationError("projects[\(index)].default", "another project is the default already")
                }
                standard = project
            }
        }
        self.init(all, standard: standard ?? (all.count == 1 ? all[0] : nil))
    }
}
