// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** Reads the version from the jar's manifest; picocli creates it. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        @Nullable String version = VersionProvider.class.getPackage().getImplementationVersion();
        return new String[] {"keyslot " + (version == null ? "(not packaged)" : version)};
    }
}
