// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import io.keyslot.cluster.local.TestServers;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Starts new, empty servers before the tests of a JVM, and ends them after. */
public final class ServersOfTheRun implements LauncherSessionListener {
    private @Nullable TestServers servers;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        servers = TestServers.start(3);
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (servers != null) {
            servers.close();
        }
    }
}
