-- For each task that runs by the clock, the turn (the minute, the hour, the day) for which it was last queued.
create table job_clock (
  task text primary key,
  turn bigint not null
);
