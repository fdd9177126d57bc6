// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.access;

import java.util.concurrent.CompletionStage;

/**
 * Supplies the credentials for a partition, for passwords that change and tokens that expire.
 *
 * <p>It is called before each connect, and again after {@link Credentials#askAgain} while there are connections. If it
 * then returns other credentials, the existing connections log in with them between two commands, and no call is lost.
 * If the server does not accept them, the connections stay as they were, with a warning, and try again after the same
 * time.
 *
 * <p>An application puts a provider into the properties of its manager as {@code keyslot.credentials}; it applies to
 * all partitions whose address has no password. It must be safe for use by several threads and must not block: do slow
 * work on another thread and return its stage. The time limit is the connect deadline.
 */
@FunctionalInterface
public interface CredentialsProvider {
    /**
     * Returns the current credentials. If the stage fails, there is no connection, and another attempt later.
     *
     * @param partition the partition's name; the tokens of some services are for one server only
     */
    CompletionStage<Credentials> credentials(String partition);
}
