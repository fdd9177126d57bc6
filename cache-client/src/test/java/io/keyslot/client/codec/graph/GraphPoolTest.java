// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.codec.allow.AllowedClasses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GraphPoolTest {
    private final Types types =
            new Types(AllowedClasses.of(List.of()), getClass().getClassLoader());
    private final GraphPool pool = new GraphPool(types);

    @Test
    void graphThatWasGivenBack_isTakenAgain() {
        Graph graph = pool.take();
        pool.giveBack(graph);

        assertThat(pool.take()).isSameAs(graph);
    }

    @Test
    void graphThatIsInUse_isNotTakenByAnother() {
        List<Graph> taken = takeAll(GraphPool.MAX_IDLE + 1);

        assertThat(taken).doesNotHaveDuplicates();
        taken.forEach(pool::giveBack);
        assertThat(takeAll(GraphPool.MAX_IDLE)).doesNotHaveDuplicates().isSubsetOf(taken);
    }

    @Test
    void graphsAboveTheBound_areNotKept() {
        List<Graph> taken = takeAll(GraphPool.MAX_IDLE + 8);
        taken.forEach(pool::giveBack);

        assertThat(takeAll(GraphPool.MAX_IDLE)).isSubsetOf(taken);
        assertThat(pool.take()).isNotIn(taken);
    }

    private List<Graph> takeAll(int count) {
        List<Graph> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(pool.take());
        }
        return taken;
    }
}
