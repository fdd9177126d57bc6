// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.access;

import java.util.concurrent.CompletionStage;

/**
 * Says who logs in at a partition: for passwords that change and for tokens that end.
 *
 * <p>It is asked at each connect, and again after {@link Credentials#askAgain} while there are connections. If the answer is
 * another one then, the connections that are there log in anew with it, between two commands: no call is lost. If the server
 * does not accept it, they stay what they were, with a warning, and try again after the same time.
 *
 * <p>An application puts one into the properties of its manager as {@code keyslot.credentials}; it counts for all
 * partitions whose address has no password. It must be safe for use by several threads, and must not block: what takes time
 * belongs on another thread, whose result the returned stage is. It has the connect deadline for it.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CredentialsProvider {
    /**
     * Returns the credentials of this moment. If the stage fails there is no connection, and another attempt later.
     *
     * @param partition the partition's name; tokens of some services are for one server only
     */
    CompletionStage<Credentials> credentials(String partition);
}
