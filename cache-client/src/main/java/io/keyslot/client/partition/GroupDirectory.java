// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Element;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The engine's operations for {@link GroupListing}. They neither throw nor block. */
public interface GroupDirectory {
    CompletableFuture<Reply<List<GroupListing.Row>>> rows(GroupListing.Rows listing);

    CompletableFuture<Reply<List<Element>>> names(GroupListing.Names listing);

    CompletableFuture<Reply<Long>> forget(GroupListing.Forget listing);

    CompletableFuture<Reply<Long>> relist(GroupListing.Relist listing);

    CompletableFuture<Reply<Long>> hold(GroupListing.Hold listing);

    CompletableFuture<Reply<Long>> release(GroupListing.Release listing);

    CompletableFuture<Reply<Long>> expire(GroupListing.Expire listing);

    CompletableFuture<Reply<List<AggregateDescription>>> aggregates(GroupListing.Aggregates listing);

    CompletableFuture<Reply<GroupWeight>> weigh(GroupListing.Weigh listing);
}
