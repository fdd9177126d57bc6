// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** A wait of a test that names no limit of its own ends when something is wrong, not when the machine is slow. */
public final class PatientWaits implements LauncherSessionListener {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
