// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.util.concurrent.CompletableFuture;

/** The engine's operations for {@link FenceCommand}. They neither throw nor block. */
public interface FenceOperations {
    CompletableFuture<Reply<Boolean>> set(FenceCommand.SetFence command);

    CompletableFuture<Reply<FenceCommand.Fences>> read(FenceCommand.ReadFences command);

    CompletableFuture<Reply<Long>> setMinVersion(FenceCommand.SetMinVersion command);
}
