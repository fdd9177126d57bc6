// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger that keeps its lines. */
public final class LoggedLines extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    private final transient List<String> logged = new ArrayList<>();
    private final transient List<@Nullable Throwable> causes = new ArrayList<>();

    /** Returns the lines so far, each after its level. */
    public List<String> logged() {
        return logged;
    }

    /** Returns for each line the exception that was logged with it. */
    public List<@Nullable Throwable> causes() {
        return causes;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String message,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable throwable) {
        logged.add(level + " " + MessageFormatter.basicArrayFormat(message, arguments));
        causes.add(throwable);
    }

    @Override
    public boolean isTraceEnabled() {
        return true;
    }

    @Override
    public boolean isDebugEnabled() {
        return true;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
