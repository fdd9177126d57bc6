// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.ConnectFailure;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

final class ConnectFailures {
    private ConnectFailures() {}

    /** Returns the {@link ConnectFailure}; the connector's contract allows no other exception. */
    static ConnectFailure of(@Nullable Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        String kind = cause == null ? "no connection" : cause.getClass().getSimpleName();
        return cause instanceof ConnectFailure failure
                ? failure
                : new ConnectFailure(
                        ConnectFailure.Kind.UNREACHABLE, "unexpected outcome of a connect: " + kind, cause);
    }
}
