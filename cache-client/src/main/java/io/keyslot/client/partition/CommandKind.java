// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/** The properties that commands share. A repeatable one may be sent again after its answer was lost. */
record CommandKind(String name, boolean isRepeatable, boolean isWrite) {
    static final CommandKind GET = reading("get");
    static final CommandKind GET_ALL = reading("getAll");
    static final CommandKind GET_AND_EXPIRE = repeatable("getAndExpire");
    static final CommandKind PUT = once("put");
    static final CommandKind PUT_ALL = once("putAll");
    static final CommandKind COMPARE_AND_SET = once("compareAndSet");
    static final CommandKind COMPARE_AND_REMOVE = once("compareAndRemove");
    static final CommandKind COMPARE_AND_EXPIRE = repeatable("compareAndExpire");
    static final CommandKind LEASE = repeatable("lease");
    static final CommandKind CLAIM = repeatable("claim");
    static final CommandKind RESERVE = repeatable("reserve");
    static final CommandKind GIVE_BACK = once("giveBack");
    static final CommandKind NEW_EPOCH = repeatable("newEpoch");
    static final CommandKind GET_AND_REMOVE = once("getAndRemove");
    static final CommandKind REMOVE_ALL = repeatable("removeAll");
    static final CommandKind SCAN = reading("scan");
    static final CommandKind DESCRIBE = reading("describe");
    static final CommandKind SERVED = reading("servedSlots");
    static final CommandKind GROUP = once("group");
    static final CommandKind LOCK = repeatable("lock");
    static final CommandKind RENEW_LOCK = repeatable("renewLock");
    static final CommandKind UNLOCK = repeatable("unlock");
    static final CommandKind TRACK = reading("track");
    static final CommandKind SUBSCRIBE = reading("subscribe");
    static final CommandKind PUBLISH = once("publish");
    static final CommandKind REGISTER = repeatable("register");
    static final CommandKind ROWS = reading("rows");
    static final CommandKind NAMES = reading("names");
    static final CommandKind FORGET = repeatable("forget");
    static final CommandKind REINDEX = repeatable("reindex");
    static final CommandKind EXPIRE = repeatable("expireAll");
    static final CommandKind AGGREGATES = reading("aggregates");
    static final CommandKind WEIGH = reading("weigh");
    static final CommandKind SET_FENCE = repeatable("setFence");
    static final CommandKind READ_FENCES = repeatable("readFences");
    static final CommandKind SET_MIN_VERSION = repeatable("setMinVersion");
    static final CommandKind SLOT_KEYS = repeatable("slotKeys");
    static final CommandKind EXPORT = repeatable("export");
    static final CommandKind IMPORT = repeatable("import");
    static final CommandKind PURGE = repeatable("purge");
    static final CommandKind READ_DIRTY = repeatable("readDirty");
    static final CommandKind FORGET_DIRTY = repeatable("forgetDirty");
    static final CommandKind WEIGHTS = repeatable("weights");
    static final CommandKind MEMORY = repeatable("memory");
    static final CommandKind LIST_CLIENTS = repeatable("listClients");
    static final CommandKind DISMISS = repeatable("dismiss");
    static final CommandKind NOTE = repeatable("note");
    static final CommandKind READ_NOTE = repeatable("readNote");
    static final CommandKind REPORT_TRAFFIC = repeatable("reportTraffic");
    static final CommandKind READ_TRAFFIC = reading("readTraffic");
    static final CommandKind KEEP_HEARTBEAT = repeatable("keepBeat");
    static final CommandKind READ_BEHIND = reading("readBehind");

    // The router splits these, so they are never sent as they are.
    static final CommandKind BULK_GET = new CommandKind("getAll", false, false);
    static final CommandKind BULK_PUT = new CommandKind("putAll", false, true);
    static final CommandKind BULK_REMOVE = new CommandKind("removeAll", false, true);

    private static CommandKind reading(String name) {
        return new CommandKind(name, true, false);
    }

    private static CommandKind repeatable(String name) {
        return new CommandKind(name, true, true);
    }

    private static CommandKind once(String name) {
        return new CommandKind(name, false, true);
    }
}
