// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Asks a partition as one of those who agree on the map of a namespace. It belongs to no slot, and passes whatever map it was
 * routed by. What the partition remembers of it is no entry: no scan shows it, and nothing of the application removes it but
 * the end of all that is stored there.
 *
 * @param namespace empty for none
 */
public record RegisterCommand(String namespace, AcceptorRequest request) implements Command<AcceptorAnswer> {
    /** What an engine does about it. */
    public interface Operations {
        /** Neither throws nor blocks. */
        CompletableFuture<Reply<AcceptorAnswer>> ask(RegisterCommand command);
    }

    @Override
    public CommandKind<AcceptorAnswer> kind() {
        return CommandKind.REGISTER;
    }
}
